import type { Presence } from '@bursar/contract/dashboard';
import { Button, Stack } from '@mantine/core';
import { useChange } from '../../../api/use-change.ts';
import { usePasskeyQuestion } from '../../../api/use-passkey-question.ts';
import { Failure } from '../../../frame/failure.tsx';
import { FailureNote } from '../../../frame/failure-note.tsx';
import { proofTexts } from '../../../texts/proof.ts';

/** Proves with a passkey. */
export function PasskeyProof({ onProven }: { readonly onProven: (presence: Presence) => void }) {
	const passkey = usePasskeyQuestion('/proof/passkey/question', 'use');
	const answer = useChange('/proof/passkey');

	async function prove() {
		answer.clear();
		const response = await passkey.ask();
		const presence = response && (await answer.run({ response }));
		if (presence) onProven(presence);
	}

	return (
		<Stack>
			<Button fullWidth data-autofocus loading={passkey.isBusy || answer.isBusy} onClick={prove}>
				{proofTexts.passkey}
			</Button>
			{passkey.none && <FailureNote text={passkey.none} />}
			<Failure error={passkey.failure ?? answer.failure} />
		</Stack>
	);
}
