import type { ReactNode } from 'react';
import type { ActControl } from '../api/use-act.ts';
import { frameTexts } from '../texts/frame.ts';
import { actTitle } from './act-title.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { SecretPanel } from './secret-panel.tsx';

interface Props {
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
}: Props) {
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
						askTitle={frameTexts.askSecretTitle}
						ask={frameTexts.askSecret}
						{...closing}
					/>
				)
			}
		</SecretDialog>
	);
}
