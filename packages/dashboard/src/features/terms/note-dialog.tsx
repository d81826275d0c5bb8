import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { termsTexts } from './texts.ts';
import { type SubUserDialogProps, useDone } from './use-sub-user.ts';

/** Changes the note on a sub-user. */
export function NoteDialog({ details, onDone, button }: SubUserDialogProps) {
	const { username } = details;
	return (
		<ActDialog
			path="/sub-users/note"
			done={useDone(onDone, termsTexts.done.note(username))}
			title={termsTexts.noteTitle(username)}
			button={button}
		>
			{(act) => <NoteForm act={act} details={details} />}
		</ActDialog>
	);
}

interface FormProps extends Pick<SubUserDialogProps, 'details'> {
	readonly act: Act<'/sub-users/note'>;
}

function NoteForm({ act, details: { username, note: before } }: FormProps) {
	const [text, setText] = useState(before);
	const note = text.trim();
	const isTooLong = [...text].length > MAX_NOTE_CHARACTERS;
	return (
		<ActForm
			act={act}
			body={isTooLong || note === before ? undefined : { username, note }}
			action={termsTexts.saveNote}
		>
			<PlainTextInput
				label={termsTexts.note}
				description={termsTexts.noteHint}
				value={text}
				onType={setText}
				error={isTooLong && termsTexts.noteTooLong}
				disabled={act.isBusy}
				// Some characters have two units, and one more can be typed, so that it is seen why it is too long.
				maxLength={2 * MAX_NOTE_CHARACTERS + 1}
				isFirst
			/>
		</ActForm>
	);
}
