import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { ActButton } from '../../acts/act-button.tsx';
import { Done } from '../../page/done.tsx';
import { Facts } from '../../page/facts.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Ago } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { OpeningState } from './state-mark.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { termsTexts } from './texts.ts';

/** Whether the proxies accept a sub-user and why not, when it was last seen, and the note on it. */
export function StateSection({ details }: { readonly details: SubUserDetails }) {
	const { state, note, last_seen: lastSeen } = details;
	const [done, setDone] = useState('');
	const dialogProps = { details, onDone: setDone };
	const isSuspended = state === 'suspended';
	return (
		<Section
			title={termsTexts.title}
			lead={termsTexts.leads[state]}
			actions={
				<Group gap="xs">
					<NoteDialog
						{...dialogProps}
						button={(open) => (
							<IfMay path="/sub-users/note">
								<ActButton variant="default" onClick={open}>
									{termsTexts.editNote}
								</ActButton>
							</IfMay>
						)}
					/>
					<SuspendDialog
						{...dialogProps}
						kind={isSuspended ? 'resume' : 'suspend'}
						button={(open) => (
							<IfMay path="/sub-users/suspend">
								{/* The same button before and after, so that it keeps the focus. */}
								<ActButton
									{...(isSuspended ? { variant: 'default' } : { variant: 'outline', color: 'red' })}
									onClick={open}
								>
									{isSuspended ? termsTexts.resume : termsTexts.suspend}
								</ActButton>
							</IfMay>
						)}
					/>
				</Group>
			}
		>
			<Facts
				isShort={note === ''}
				facts={[
					{ name: termsTexts.title, value: <OpeningState state={state} opens={details.opens} /> },
					{ name: termsTexts.lastSeen, value: lastSeen === null ? termsTexts.never : <Ago at={lastSeen} /> },
					{ name: termsTexts.note, value: note === '' ? termsTexts.noNote : note },
				]}
			/>
			<Done>{done}</Done>
		</Section>
	);
}
