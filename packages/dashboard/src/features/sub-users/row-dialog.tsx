import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useRead } from '../../calls/use-read.ts';
import { Failure } from '../../page/failure.tsx';
import { DeleteDialog, useDeleting } from '../life/delete-dialog.tsx';
import { LimitsDialog, useLimiting } from '../life/limits-dialog.tsx';
import { NoteDialog, useNoting } from '../life/note-dialog.tsx';
import { SuspendDialog, useSuspending } from '../life/suspend-dialog.tsx';
import { MoveDialog, useMove } from './move-dialog.tsx';
import type { RowAct } from './row-menu.tsx';

interface Props {
	readonly username: string;
	readonly act: RowAct;
	/** Called with what can be said once it is done. */
	readonly onDone: (text: string) => void;
}

/** The dialog that was asked for in the menu of a row. It opens once the sub-user was read. */
export function RowDialog({ username, ...props }: Props) {
	const { data, error } = useRead('/sub-user', { username }, { staleMs: 0 });
	if (!data) return <Failure error={error} />;
	return <OpenRowDialog details={data} {...props} />;
}

type OpenProps = Omit<Props, 'username'> & { readonly details: SubUserDetails };

function OpenRowDialog({ act, ...props }: OpenProps) {
	switch (act) {
		case 'give':
		case 'take':
			return <Move act={act} {...props} />;
		case 'suspend':
		case 'resume':
			return <Suspend act={act} {...props} />;
		case 'limits':
			return <Limit {...props} />;
		case 'note':
			return <Note {...props} />;
		case 'delete':
			return <Delete {...props} />;
	}
}

const startsOpen = { startsOpen: true } as const;

function Move({ act, details, onDone }: OpenProps & { readonly act: 'give' | 'take' }) {
	const move = useMove(act, details.username, onDone, startsOpen);
	return <MoveDialog move={move} details={details} />;
}

function Suspend({ act, details, onDone }: OpenProps & { readonly act: 'suspend' | 'resume' }) {
	return <SuspendDialog suspending={useSuspending(act, details.username, onDone, startsOpen)} />;
}

function Limit({ details, onDone }: Omit<OpenProps, 'act'>) {
	return <LimitsDialog limiting={useLimiting(details.username, onDone, startsOpen)} details={details} />;
}

function Note({ details, onDone }: Omit<OpenProps, 'act'>) {
	return <NoteDialog noting={useNoting(details.username, onDone, startsOpen)} details={details} />;
}

function Delete({ details, onDone }: Omit<OpenProps, 'act'>) {
	return <DeleteDialog deleting={useDeleting(details.username, onDone, startsOpen)} details={details} />;
}
