import { useState } from 'react';
import { type ActDialogProps, actTitle } from '../acts/act-dialog.tsx';
import { Dialog } from '../acts/dialog.tsx';
import { type ActAnswer, type ActPath, useAct } from '../acts/use-act.ts';
import { useLeaveGuard } from './leave-guard.ts';
import { type Secret, SecretPanel } from './secret-panel.tsx';

interface Props<Path extends ActPath> extends ActDialogProps<Path> {
	/** The secret in an answer, and what stands around it. */
	readonly secretOf: (answer: ActAnswer<Path>) => Secret & { readonly title: string };
}

/**
 * A button with the dialog of an act whose answer is a secret that is shown once. The secret exists in the act and nowhere
 * else, and only until the dialog closes. The dialog asks before it is lost.
 */
export function SecretActDialog<Path extends ActPath>({ title, button, secretOf, children, ...options }: Props<Path>) {
	const act = useAct({ ...options, startsOpen: !button, showsAnswer: true });
	const [isAsking, setAsking] = useState(false);
	const shown = act.answer === undefined ? undefined : secretOf(act.answer);

	function close() {
		setAsking(false);
		act.close();
	}
	function tryToClose() {
		if (shown) setAsking(true);
		else close();
	}
	useLeaveGuard({ isOn: shown !== undefined || act.isBusy, onTry: tryToClose, onLeave: close });

	return (
		<>
			{button?.(act.open)}
			<Dialog
				opened={act.isOpen}
				onClose={tryToClose}
				title={shown?.title ?? actTitle(act, title)}
				size="lg"
				// A secret is gone from the page at once.
				transitionProps={{ exitDuration: 0 }}
			>
				{act.isOpen &&
					(shown ? (
						<SecretPanel {...shown} isAsking={isAsking} onGoBack={() => setAsking(false)} onClose={close} />
					) : (
						children(act)
					))}
			</Dialog>
		</>
	);
}
