import { Button, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { setPresence } from '../../../api/presence.ts';
import { useChange } from '../../../api/use-change.ts';
import { usePasskeyQuestion } from '../../../api/use-passkey-question.ts';
import { Failure } from '../../../frame/failure.tsx';
import { FailureNote } from '../../../frame/failure-note.tsx';
import { signInTexts } from '../../../texts/sign-in.ts';

/** Signs in with a passkey. The browser shows which ones there are. */
export function PasskeySignIn() {
	const client = useQueryClient();
	const passkey = usePasskeyQuestion('/sign-in/passkey/question', 'use');
	const answer = useChange('/sign-in/passkey');

	async function signIn() {
		answer.clear();
		const response = await passkey.ask();
		const presence = response && (await answer.run({ response }));
		if (presence) setPresence(client, presence);
	}

	return (
		<Stack>
			<Button variant="default" fullWidth loading={passkey.isBusy || answer.isBusy} onClick={signIn}>
				{signInTexts.passkey}
			</Button>
			{passkey.none && <FailureNote text={passkey.none} />}
			<Failure error={passkey.failure ?? answer.failure} />
		</Stack>
	);
}
