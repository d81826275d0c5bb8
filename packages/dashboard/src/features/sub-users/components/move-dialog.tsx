import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useAct } from '../../../api/use-act.ts';
import { moneyText } from '../../../format/money.ts';
import { actTitle } from '../../../frame/act-title.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useNoteChange } from '../api/use-note-change.ts';
import type { MovementDirection } from '../movement-preview.ts';
import { MoveForm } from './move-form.tsx';

interface MoveControl {
	readonly direction: MovementDirection;
	readonly act: ReturnType<typeof useAct<'/sub-users/give' | '/sub-users/take'>>;
	readonly send: (cents: number) => Promise<void>;
}

/** Gives to a sub-user or takes from it, in a dialog. `onMoved` is called with what then can be said. */
export function useMove(direction: MovementDirection, username: string, onMoved: (text: string) => void): MoveControl {
	const act = useAct(direction === 'give' ? '/sub-users/give' : '/sub-users/take');
	const note = useNoteChange();
	return {
		direction,
		act,
		async send(amount) {
			const details = await act.send({ username, amount });
			await note(details);
			if (!details) return;
			onMoved(subUserTexts.moved(direction, moneyText(amount), username));
			act.close();
		},
	};
}

interface Props {
	readonly move: MoveControl;
	readonly details: SubUserDetails;
}

export function MoveDialog({ move: { act, direction, send }, details }: Props) {
	const title = subUserTexts.moveTitle(direction, details.username);
	return (
		<Dialog opened={act.isOpen} onClose={act.close} title={actTitle(act, title)}>
			<MoveForm act={act} direction={direction} details={details} onSend={send} />
		</Dialog>
	);
}
