import type { ReactNode } from 'react';
import type { ActControl } from '../api/use-act.ts';
import { frameTexts } from '../texts/frame.ts';
import { LostAct } from './lost-act.tsx';
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
	/** What to do if it was done, but the secret was in the answer that was lost. */
	readonly lostSecret: string;
	readonly onTryAgain: () => void;
	/** Drops the secret. */
	readonly onClose: () => void;
	/** The form. */
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
	lostSecret,
	onTryAgain,
	onClose,
	children,
}: Props) {
	const isLost = act.state !== 'open';
	return (
		<SecretDialog
			isOpen={act.isOpen}
			title={secret !== undefined ? secretTitle : isLost ? frameTexts.lostTitle : title}
			isBusy={act.isBusy}
			isSecretShown={secret !== undefined}
			onClose={onClose}
		>
			{(closing) => {
				if (secret !== undefined) {
					return (
						<SecretPanel
							secret={secret}
							label={secretLabel}
							intro={secretIntro}
							askTitle={frameTexts.askSecretTitle}
							ask={frameTexts.askSecret}
							{...closing}
						/>
					);
				}
				if (!isLost) return children;
				return (
					<LostAct
						act={act}
						lost={frameTexts.lostAct}
						repeated={lostSecret}
						onTryAgain={onTryAgain}
						onClose={closing.onClose}
					/>
				);
			}}
		</SecretDialog>
	);
}
