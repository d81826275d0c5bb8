import type { TokenState } from '@bursar/contract/dashboard';
import { SecretDialog } from '../../../frame/secret-dialog.tsx';
import type { SecretClosing } from '../../../frame/secret-panel.tsx';
import { tokenTexts } from '../../../texts/token.ts';
import type { TokenChange, TokenChangeControl } from '../api/use-token-change.ts';
import { EndAllForm } from './end-all-form.tsx';
import { LostChange } from './lost-change.tsx';
import { NewTokenPanel } from './new-token-panel.tsx';
import { RotateForm } from './rotate-form.tsx';

interface Props {
	readonly control: TokenChangeControl;
	/** What was read last, and when by the clock of this computer, in Unix milliseconds. */
	readonly state: TokenState;
	readonly readAtMs: number;
}

/** Rotates the token or ends all of them, and shows the new one. */
export function TokenDialog({ control, state, readAtMs }: Props) {
	const { change, begin, send, chooseOverlap, end } = control;

	function panel(open: TokenChange, closing: SecretClosing) {
		if (open.newToken !== undefined) {
			return <NewTokenPanel token={open.newToken} previous={state.previous} {...closing} />;
		}
		if (open.lost) {
			return (
				<LostChange
					change={open}
					lost={open.lost}
					after={state.current}
					readAtMs={readAtMs}
					onTryAgain={send}
					onEndAll={() => begin('end_all', state.current, open.email)}
					onClose={closing.onClose}
				/>
			);
		}
		if (open.kind === 'end_all') return <EndAllForm change={open} onSend={send} onCancel={closing.onClose} />;
		return <RotateForm change={open} onChoose={chooseOverlap} onSend={send} onCancel={closing.onClose} />;
	}

	return (
		<SecretDialog
			isOpen={change !== undefined}
			title={change && titleOf(change)}
			isBusy={change?.isBusy === true}
			isSecretShown={change?.newToken !== undefined}
			onClose={end}
		>
			{(closing) => change && panel(change, closing)}
		</SecretDialog>
	);
}

function titleOf({ newToken, lost, kind }: TokenChange): string {
	if (newToken !== undefined) return tokenTexts.newTitle;
	if (lost) return tokenTexts.lostTitle;
	return kind === 'rotate' ? tokenTexts.rotate : tokenTexts.endAll;
}
