import { Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { termsTexts } from './texts.ts';
import { type SubUserDialogProps, useDone } from './use-sub-user.ts';

interface Props extends SubUserDialogProps {
	/** The act that is possible now. */
	readonly kind: 'suspend' | 'resume';
}

/** Suspends or resumes a sub-user. */
export function SuspendDialog({ kind: kindOfNow, details: { username }, onDone, button }: Props) {
	/** Stays the same while the dialog is open, even if another person suspends or resumes meanwhile. */
	const [kind, setKind] = useState(kindOfNow);
	const isSuspend = kind === 'suspend';
	return (
		<ActDialog
			path={`/sub-users/${kind}`}
			done={useDone(onDone, termsTexts.done[kind](username))}
			title={isSuspend ? termsTexts.suspendTitle(username) : termsTexts.resumeTitle(username)}
			button={
				button &&
				((open) =>
					button(() => {
						setKind(kindOfNow);
						open();
					}))
			}
		>
			{(act) => (
				<ActForm act={act} body={{ username }} action={termsTexts[kind]} isDangerous={isSuspend}>
					<Text size="sm">{isSuspend ? termsTexts.suspendIntro(username) : termsTexts.resumeIntro(username)}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}
