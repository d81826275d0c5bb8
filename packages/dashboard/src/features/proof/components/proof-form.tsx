import { Divider, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Divider.css';
import type { Presence } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { setPresence, usePresence } from '../../../api/presence.ts';
import { proofTexts } from '../../../texts/proof.ts';
import { PasskeyButton } from '../../factors/components/passkey-button.tsx';
import { PasswordProof } from './password-proof.tsx';

interface Props {
	readonly onProven: () => void;
	readonly onCancel: () => void;
}

/** Asks for a passkey, if the person has one, or for the password. */
export function ProofForm({ onProven, onCancel }: Props) {
	const client = useQueryClient();
	const presence = usePresence().data;
	const person = presence?.person;

	function finish(next: Presence) {
		setPresence(client, next);
		onProven();
	}

	return (
		<Stack>
			<Text size="sm">{proofTexts.intro}</Text>
			{presence?.passkeys && person?.has_passkey && (
				<>
					<PasskeyButton path="/proof/passkey" onDone={finish}>
						{proofTexts.passkey}
					</PasskeyButton>
					<Divider label={proofTexts.or} />
				</>
			)}
			<PasswordProof
				email={person?.email ?? ''}
				isCodeRequired={person?.code_required ?? false}
				hasOneTimeCodes={person?.code_required ? person.one_time_codes : undefined}
				onProven={finish}
				onCancel={onCancel}
			/>
		</Stack>
	);
}
