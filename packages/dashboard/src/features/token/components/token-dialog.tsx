import type { TokenState } from '@bursar/contract/dashboard';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useLeaveGuard } from '../../../frame/use-leave-guard.ts';
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

/** Rotates the token or ends all of them, and shows the new one. It asks before a new token is lost. */
export function TokenDialog({ control, state, readAtMs }: Props) {
	const { change, begin, send, chooseOverlap, end } = control;
	const [isAsking, setAsking] = useState(false);
	const isShown = change?.newToken !== undefined;

	function close() {
		setAsking(false);
		end();
	}
	function tryToClose() {
		if (isShown) setAsking(true);
		else if (!change?.isBusy) end();
	}
	useLeaveGuard({ isOn: isShown || change?.isBusy === true, onTry: tryToClose, onLeave: close });

	function panel(open: TokenChange) {
		if (open.newToken !== undefined) {
			return (
				<NewTokenPanel
					token={open.newToken}
					previous={state.previous}
					isAsking={isAsking}
					onGoBack={() => setAsking(false)}
					onClose={close}
				/>
			);
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
					onClose={close}
				/>
			);
		}
		if (open.kind === 'end_all') return <EndAllForm change={open} onSend={send} onCancel={close} />;
		return <RotateForm change={open} onChoose={chooseOverlap} onSend={send} onCancel={close} />;
	}

	return (
		<Modal
			opened={change !== undefined}
			onClose={tryToClose}
			title={change && titleOf(change)}
			size="lg"
			// A new token is gone from the page at once.
			transitionProps={{ exitDuration: 0 }}
		>
			{change && panel(change)}
		</Modal>
	);
}

function titleOf({ newToken, lost, kind }: TokenChange): string {
	if (newToken !== undefined) return tokenTexts.newTitle;
	if (lost) return tokenTexts.lostTitle;
	return kind === 'rotate' ? tokenTexts.rotate : tokenTexts.endAll;
}
