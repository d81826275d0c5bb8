import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { Section } from '../../page/section.tsx';
import { NoteForm } from '../terms/note-form.tsx';
import { termsTexts } from '../terms/texts.ts';
import { resellerTexts } from './texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

/** What operators have noted about a reseller, and the button that changes it. */
export function NoteSection({ details: { reseller, note } }: { readonly details: ResellerDetails }) {
	const refresh = useRefreshReseller();
	return (
		<Section
			title={termsTexts.note}
			lead={resellerTexts.noteLead}
			actions={
				<ActDialog
					path="/operator/note"
					done={(details) => refresh(reseller, details)}
					title={termsTexts.noteTitle(reseller)}
					button={(open) => (
						<Button variant="default" onClick={open}>
							{termsTexts.editNote}
						</Button>
					)}
				>
					{(act) => (
						<NoteForm
							act={act}
							before={note}
							hint={resellerTexts.noteHint}
							bodyOf={(changed) => ({ reseller, note: changed })}
						/>
					)}
				</ActDialog>
			}
		>
			<Text>{note === '' ? termsTexts.noNote : note}</Text>
		</Section>
	);
}
