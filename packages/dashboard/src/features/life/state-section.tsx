import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../page/facts.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Ago } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import classes from './life.module.css';
import { NoteDialog, useNoting } from './note-dialog.tsx';
import { StateMark } from './state-mark.tsx';
import { SuspendDialog, useSuspending } from './suspend-dialog.tsx';
import { lifeTexts } from './texts.ts';

/** Whether the proxies accept a sub-user and why not, when it was last seen, and the note on it. */
export function StateSection({ details }: { readonly details: SubUserDetails }) {
	const { username, state, note, last_seen: lastSeen } = details;
	const [done, setDone] = useState('');
	const suspend = useSuspending('suspend', username, setDone);
	const resume = useSuspending('resume', username, setDone);
	const noting = useNoting(username, setDone);
	const isSuspended = state === 'suspended';
	return (
		<Section
			title={lifeTexts.title}
			lead={lifeTexts.leads[state]}
			actions={
				<IfMay path="/sub-users/suspend">
					<Group gap="xs">
						<Button variant="default" onClick={noting.act.open}>
							{lifeTexts.editNote}
						</Button>
						{/* The same button before and after, so that it keeps the focus. */}
						<Button
							{...(isSuspended ? { variant: 'default' } : { variant: 'outline', color: 'red' })}
							onClick={isSuspended ? resume.act.open : suspend.act.open}
						>
							{isSuspended ? lifeTexts.resume : lifeTexts.suspend}
						</Button>
					</Group>
				</IfMay>
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
			<SuspendDialog suspending={suspend} />
			<SuspendDialog suspending={resume} />
			<NoteDialog noting={noting} details={details} />
		</Section>
	);
}
