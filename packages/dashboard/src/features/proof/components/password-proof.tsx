import type { Presence } from '@bursar/contract/dashboard';
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../frame/failure.tsx';
import { FailureNote } from '../../../frame/failure-note.tsx';
import { codeHint } from '../../../texts/code-hint.ts';
import { proofTexts } from '../../../texts/proof.ts';
import { CodeField } from '../../factors/components/code-field.tsx';

interface Props {
	readonly email: string;
	readonly isCodeRequired: boolean;
	/** `undefined` if it is not known. */
	readonly hasOneTimeCodes: boolean | undefined;
	readonly onProven: (presence: Presence) => void;
	readonly onCancel: () => void;
}

/** Proves with the password, and with a code if the person has a second factor. */
export function PasswordProof({ email, isCodeRequired, hasOneTimeCodes, onProven, onCancel }: Props) {
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
