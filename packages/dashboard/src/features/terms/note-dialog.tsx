import { ActDialog } from '../../acts/act-dialog.tsx';
import { NoteForm } from './note-form.tsx';
import { termsTexts } from './texts.ts';
import { type SubUserDialogProps, useDone } from './use-sub-user.ts';

/** Changes the note on a sub-user. */
export function NoteDialog({ details: { username, note }, onDone, button }: SubUserDialogProps) {
	return (
		<ActDialog
			path="/sub-users/note"
			done={useDone(onDone, termsTexts.done.note(username))}
			title={termsTexts.noteTitle(username)}
			button={button}
		>
			{(act) => (
				<NoteForm
					act={act}
					before={note}
					hint={termsTexts.noteHint}
					bodyOf={(changed) => ({ username, note: changed })}
				/>
			)}
		</ActDialog>
	);
}
