import type { Presence } from '@bursar/contract/dashboard';
import { Button, Divider, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { codeHint } from '../../calls/failure-texts.ts';
import { setPresence, usePresence } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { Help } from '../../help/help.tsx';
import { Failure, FailureNote } from '../../page/failure.tsx';
import { CodeField } from '../factors/code-field.tsx';
import { PasskeyButton } from '../factors/passkey-button.tsx';
import { proofTexts } from './texts.ts';

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
			<Text size="sm" component="div">
				{proofTexts.intro} <Help term="proof" />
			</Text>
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

interface PasswordProofProps {
	readonly email: string;
	readonly isCodeRequired: boolean;
	/** `undefined` if it is not known. */
	readonly hasOneTimeCodes: boolean | undefined;
	readonly onProven: (presence: Presence) => void;
	readonly onCancel: () => void;
}

/** Proves with the password, and with a code if the person has a second factor. */
function PasswordProof({ email, isCodeRequired, hasOneTimeCodes, onProven, onCancel }: PasswordProofProps) {
	const proof = useChange('/proof');
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');
	/** The service may know of a second factor that this page has not heard of. */
	const [isCodeAsked, setCodeAsked] = useState(isCodeRequired);
	if (proof.failure?.code === 'code_required' && !isCodeAsked) setCodeAsked(true);

	async function submit(event: FormEvent) {
		event.preventDefault();
		const trimmed = code.replaceAll(' ', '');
		const presence = await proof.run({ password, ...(trimmed !== '' && { code: trimmed }) });
		if (presence) onProven(presence);
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				{/* Password managers look for the name that belongs to the password. */}
				<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
				<PasswordInput
					label={proofTexts.password}
					name="password"
					autoComplete="current-password"
					required
					withAsterisk={false}
					data-autofocus
					value={password}
					onChange={(event) => setPassword(event.currentTarget.value)}
				/>
				{isCodeAsked && (
					<CodeField label={proofTexts.code} hint={codeHint(hasOneTimeCodes)} value={code} onChange={setCode} />
				)}
				{proof.failure?.code === 'wrong_credentials' ? (
					<FailureNote text={proofTexts.wrongPassword} />
				) : (
					<Failure error={proof.failure} />
				)}
				<Group justify="flex-end">
					<Button variant="default" onClick={onCancel}>
						{proofTexts.cancel}
					</Button>
					<Button type="submit" loading={proof.isBusy}>
						{proofTexts.confirm}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}
