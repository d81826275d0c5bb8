import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setPresence } from '../../../api/presence.ts';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../frame/failure.tsx';
import { FailureNote } from '../../../frame/failure-note.tsx';
import type { FailureText } from '../../../texts/failures.ts';
import { signInTexts } from '../../../texts/sign-in.ts';

/** Signs in with a passkey. The browser shows which ones there are. */
export function PasskeySignIn() {
	const client = useQueryClient();
	const question = useChange('/sign-in/passkey/question');
	const answer = useChange('/sign-in/passkey');
	const [none, setNone] = useState<FailureText>();
	const [isAsking, setAsking] = useState(false);

	async function signIn() {
		setNone(undefined);
		answer.clear();
		const asked = await question.run({});
		if (!asked) return;
		setAsking(true);
		const { askForPasskey } = await import('../../../api/passkeys.ts');
		const tried = await askForPasskey(asked);
		setAsking(false);
		if ('none' in tried) return setNone(tried.none);
		const presence = await answer.run({ response: tried.response });
		if (presence) setPresence(client, presence);
	}

	return (
		<Stack>
			<Button variant="default" fullWidth loading={question.isBusy || isAsking || answer.isBusy} onClick={signIn}>
				{signInTexts.passkey}
			</Button>
			{none && <FailureNote text={none} />}
			<Failure error={question.failure ?? answer.failure} />
		</Stack>
	);
}
