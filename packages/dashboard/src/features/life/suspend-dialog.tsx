import { Text } from '@mantine/core';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActOptions, useAct } from '../../acts/use-act.ts';
import { lifeTexts } from './texts.ts';
import { useNoteChange } from './use-sub-users.ts';

type Kind = 'suspend' | 'resume';

interface Suspending {
	readonly kind: Kind;
	readonly username: string;
	readonly act: ReturnType<typeof useAct<'/sub-users/suspend' | '/sub-users/resume'>>;
	readonly send: () => Promise<void>;
}

/** Suspends or resumes a sub-user, in a dialog. `onDone` is called with what then can be said. */
export function useSuspending(
	kind: Kind,
	username: string,
	onDone: (text: string) => void,
	options?: ActOptions,
): Suspending {
	const act = useAct(kind === 'suspend' ? '/sub-users/suspend' : '/sub-users/resume', options);
	const note = useNoteChange();
	return {
		kind,
		username,
		act,
		async send() {
			const details = await act.send({ username });
			await note(details);
			if (!details) return;
			onDone(lifeTexts.done[kind](username));
			act.close();
		},
	};
}

export function SuspendDialog({ suspending: { kind, username, act, send } }: { readonly suspending: Suspending }) {
	const isSuspend = kind === 'suspend';
	return (
		<ActDialog act={act} title={isSuspend ? lifeTexts.suspendTitle(username) : lifeTexts.resumeTitle(username)}>
			<ActForm act={act} onSubmit={() => void send()} action={lifeTexts[kind]} isDangerous={isSuspend}>
				<Text size="sm">{isSuspend ? lifeTexts.suspendIntro(username) : lifeTexts.resumeIntro(username)}</Text>
			</ActForm>
		</ActDialog>
	);
}
