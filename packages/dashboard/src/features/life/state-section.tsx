import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../page/facts.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Ago } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import classes from './life.module.css';
import { NoteDialog } from './note-dialog.tsx';
import { StateMark } from './state-mark.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { lifeTexts } from './texts.ts';

/** Whether the proxies accept a sub-user and why not, when it was last seen, and the note on it. */
export function StateSection({ details }: { readonly details: SubUserDetails }) {
	const { state, note, last_seen: lastSeen } = details;
	const [done, setDone] = useState('');
	const told = { details, onDone: setDone };
	const isSuspended = state === 'suspended';
	return (
		<Section
			title={lifeTexts.title}
			lead={lifeTexts.leads[state]}
			actions={
				<Group gap="xs">
					<NoteDialog
						{...told}
						button={(open) => (
							<IfMay path="/sub-users/note">
								<Button variant="default" onClick={open}>
									{lifeTexts.editNote}
								</Button>
							</IfMay>
						)}
					/>
					<SuspendDialog
						{...told}
						kind={isSuspended ? 'resume' : 'suspend'}
						button={(open) => (
							<IfMay path="/sub-users/suspend">
								{/* The same button before and after, so that it keeps the focus. */}
								<Button
									{...(isSuspended ? { variant: 'default' } : { variant: 'outline', color: 'red' })}
									onClick={open}
								>
									{isSuspended ? lifeTexts.resume : lifeTexts.suspend}
								</Button>
							</IfMay>
						)}
					/>
				</Group>
			}
		>
			<Facts
				facts={[
					{ name: lifeTexts.title, value: <StateMark state={state} /> },
					{ name: lifeTexts.lastSeen, value: lastSeen === null ? lifeTexts.never : <Ago at={lastSeen} /> },
					{ name: lifeTexts.note, value: note === '' ? lifeTexts.noNote : note },
				]}
			/>
			<p className={classes.status} role="status">
				{done}
			</p>
		</Section>
	);
}
