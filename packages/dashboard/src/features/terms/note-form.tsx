import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act, ActBody } from '../../acts/use-act.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { termsTexts } from './texts.ts';

interface Props<Path extends '/sub-users/note' | '/operator/note'> {
	readonly act: Act<Path>;
	readonly before: string;
	/** For whom the note is. */
	readonly hint: string;
	readonly bodyOf: (note: string) => ActBody<Path>;
}

/** Changes a note. */
export function NoteForm<Path extends '/sub-users/note' | '/operator/note'>({
	act,
	before,
	hint,
	bodyOf,
}: Props<Path>) {
	const [text, setText] = useState(before);
	const note = text.trim();
	const isTooLong = [...text].length > MAX_NOTE_CHARACTERS;
	return (
		<ActForm act={act} body={isTooLong || note === before ? undefined : bodyOf(note)} action={termsTexts.saveNote}>
			<PlainTextInput
				label={termsTexts.note}
				description={hint}
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
