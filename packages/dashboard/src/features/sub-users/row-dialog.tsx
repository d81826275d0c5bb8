import { useRead } from '../../calls/use-read.ts';
import { Failure } from '../../page/failure.tsx';
import { DeleteDialog } from '../terms/delete-dialog.tsx';
import { LimitsDialog } from '../terms/limits-dialog.tsx';
import { NoteDialog } from '../terms/note-dialog.tsx';
import { SuspendDialog } from '../terms/suspend-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import type { RowAct } from './row-menu.tsx';

interface Props {
	readonly username: string;
	readonly act: RowAct;
	/** Called with a sentence that says that the act is done. */
	readonly onDone: (text: string) => void;
}

/** The dialog that was asked for in the menu of a row. It opens once the sub-user was read. */
export function RowDialog({ username, act, onDone }: Props) {
	const { data, error } = useRead('/sub-user', { username }, { staleMs: 0 });
	if (!data) return <Failure error={error} />;
	const dialogProps = { details: data, onDone };
	switch (act) {
		case 'give':
		case 'take':
			return <MoveDialog direction={act} {...dialogProps} />;
		case 'suspend':
		case 'resume':
			return <SuspendDialog kind={act} {...dialogProps} />;
		case 'limits':
			return <LimitsDialog {...dialogProps} />;
		case 'note':
			return <NoteDialog {...dialogProps} />;
		case 'delete':
			return <DeleteDialog {...dialogProps} />;
	}
}
