import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import type { SecretClosing } from './secret-panel.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

interface Props {
	readonly isOpen: boolean;
	readonly title: ReactNode;
	/** Whether the change is under way that may answer with a secret. */
	readonly isBusy: boolean;
	/** Whether a secret is shown that cannot be shown again. */
	readonly isSecretShown: boolean;
	/** Drops the secret. */
	readonly onClose: () => void;
	readonly children: (closing: SecretClosing) => ReactNode;
}

/** A dialog that shows a secret once. It asks before the secret is lost. */
export function SecretDialog({ isOpen, title, isBusy, isSecretShown, onClose, children }: Props) {
	const [isAsking, setAsking] = useState(false);

	function close() {
		setAsking(false);
		onClose();
	}
	function tryToClose() {
		if (isSecretShown) setAsking(true);
		else if (!isBusy) close();
	}
	useLeaveGuard({ isOn: isSecretShown || isBusy, onTry: tryToClose, onLeave: close });

	return (
		<Dialog
			opened={isOpen}
			onClose={tryToClose}
			title={title}
			size="lg"
			// A secret is gone from the page at once.
			transitionProps={{ exitDuration: 0 }}
		>
			{isOpen && children({ isAsking, onGoBack: () => setAsking(false), onClose: close })}
		</Dialog>
	);
}
