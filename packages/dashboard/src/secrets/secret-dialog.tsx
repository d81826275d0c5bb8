import { type ReactNode, useState } from 'react';
import { actTitle } from '../acts/act-form.tsx';
import { Dialog } from '../acts/dialog.tsx';
import type { ActControl } from '../acts/use-act.ts';
import { useLeaveGuard } from './leave-guard.ts';
import { type SecretClosing, SecretPanel } from './secret-panel.tsx';
import { secretTexts } from './texts.ts';

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

interface SecretActDialogProps {
	readonly act: ActControl;
	/** The title while the form is shown. */
	readonly title: string;
	/** The secret that was answered, and what stands around it. */
	readonly secret: string | undefined;
	readonly secretTitle: string;
	readonly secretLabel: string;
	readonly secretIntro: string;
	/** Drops the secret. */
	readonly onClose: () => void;
	/** The form, an `ActForm`. */
	readonly children: ReactNode;
}

/** A dialog for an act whose answer is a secret that is shown once. */
export function SecretActDialog({
	act,
	title,
	secret,
	secretTitle,
	secretLabel,
	secretIntro,
	onClose,
	children,
}: SecretActDialogProps) {
	return (
		<SecretDialog
			isOpen={act.isOpen}
			title={secret === undefined ? actTitle(act, title) : secretTitle}
			isBusy={act.isBusy}
			isSecretShown={secret !== undefined}
			onClose={onClose}
		>
			{(closing) =>
				secret === undefined ? (
					children
				) : (
					<SecretPanel
						secret={secret}
						label={secretLabel}
						intro={secretIntro}
						askTitle={secretTexts.askSecretTitle}
						ask={secretTexts.askSecret}
						{...closing}
					/>
				)
			}
		</SecretDialog>
	);
}
