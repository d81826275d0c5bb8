import type { SubUserDetails } from '@bursar/contract/dashboard';
import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActOptions, useAct } from '../../acts/use-act.ts';
import { lifeTexts } from './texts.ts';
import { useNoteChange } from './use-sub-users.ts';

interface Noting {
	readonly act: ReturnType<typeof useAct<'/sub-users/note'>>;
	readonly send: (text: string) => Promise<void>;
}

/** Changes the note on a sub-user, in a dialog. `onDone` is called with what then can be said. */
export function useNoting(username: string, onDone: (text: string) => void, options?: ActOptions): Noting {
	const act = useAct('/sub-users/note', options);
	const note = useNoteChange();
	return {
		act,
		async send(text) {
			const details = await act.send({ username, note: text });
			await note(details);
			if (!details) return;
			onDone(lifeTexts.done.note(username));
			act.close();
		},
	};
}

interface Props {
	readonly noting: Noting;
	readonly details: SubUserDetails;
}

export function NoteDialog({ noting, details }: Props) {
	return (
		<ActDialog act={noting.act} title={lifeTexts.noteTitle(details.username)}>
			<NoteForm noting={noting} details={details} />
		</ActDialog>
	);
}

function NoteForm({ noting: { act, send }, details }: Props) {
	const [text, setText] = useState(details.note);
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState('');
	const isTooLong = [...text].length > MAX_NOTE_CHARACTERS;

	function submit() {
		const wanted = act.state === 'open' ? text.trim() : sent;
		setSent(wanted);
		void send(wanted);
	}
	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={lifeTexts.saveNote}
			isComplete={!isTooLong && text.trim() !== details.note}
		>
			<TextInput
				label={lifeTexts.note}
				description={lifeTexts.noteHint}
				value={text}
				onChange={({ currentTarget }) => setText(currentTarget.value)}
				error={isTooLong && lifeTexts.noteTooLong}
				disabled={act.isBusy}
				// Some characters have two units, and one more can be typed, so that it is seen why it is too long.
				maxLength={2 * MAX_NOTE_CHARACTERS + 1}
				data-autofocus
			/>
		</ActForm>
	);
}
