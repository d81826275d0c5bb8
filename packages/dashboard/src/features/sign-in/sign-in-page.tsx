import { Anchor, Button, Divider, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { codeHint } from '../../calls/failure-texts.ts';
import { setPresence, usePresence } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { EmailField } from '../../forms/email-field.tsx';
import { Failure } from '../../page/failure.tsx';
import { Page } from '../../page/page.tsx';
import { CodeField } from '../factors/code-field.tsx';
import { PasskeyButton } from '../factors/passkey-button.tsx';
import { signInTexts } from './texts.ts';

export function SignInPage() {
	return (
		<Page title={signInTexts.title}>
			<SignInForm />
			<Forgotten />
		</Page>
	);
}

function Forgotten() {
	const { data } = usePresence();
	if (!data) return null;
	return (
		<Text size="sm">
			{data.sends_mail ? (
				<Anchor component={Link} href="/forgot-password">
					{signInTexts.forgotten}
				</Anchor>
			) : (
				signInTexts.noMail
			)}
		</Text>
	);
}

interface Props {
	/** Of the person who was signed in. */
	readonly knownEmail?: string;
}

/** Signs in with e-mail address and password, and a code if the service asks for one; or with a passkey. */
export function SignInForm({ knownEmail = '' }: Props) {
	const client = useQueryClient();
	const presence = usePresence();
	const signIn = useChange('/sign-in');
	const [email, setEmail] = useState(knownEmail);
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');
	/** The code field stays until the address is changed. */
	const [isCodeAsked, setCodeAsked] = useState(false);
	if (signIn.failure?.code === 'code_required' && !isCodeAsked) setCodeAsked(true);

	async function submit(event: FormEvent) {
		event.preventDefault();
		const trimmed = code.replaceAll(' ', '');
		const next = await signIn.run({ email, password, ...(trimmed !== '' && { code: trimmed }) });
		if (next) setPresence(client, next);
	}

	function changeEmail(next: string) {
		setEmail(next);
		setCode('');
		setCodeAsked(false);
		signIn.clear();
	}

	const isFirstAsk = signIn.failure?.code === 'code_required' && code === '';
	return (
		<Stack gap="lg">
			<form onSubmit={submit}>
				<Stack>
					<EmailField
						label={signInTexts.email}
						name="email"
						// In a dialog, the focus begins here.
						data-autofocus={knownEmail === '' || undefined}
						required
						value={email}
						onType={changeEmail}
					/>
					<PasswordInput
						label={signInTexts.password}
						name="password"
						autoComplete="current-password"
						data-autofocus={knownEmail !== '' || undefined}
						required
						withAsterisk={false}
						value={password}
						onChange={(event) => setPassword(event.currentTarget.value)}
					/>
					{isCodeAsked && (
						<CodeField label={signInTexts.code} hint={codeHint()} isFocused value={code} onChange={setCode} />
					)}
					{!isFirstAsk && <Failure error={signIn.failure} />}
					<Button type="submit" loading={signIn.isBusy} fullWidth>
						{signInTexts.signIn}
					</Button>
				</Stack>
			</form>
			{presence.data?.passkeys && (
				<>
					<Divider label={signInTexts.or} />
					<PasskeyButton path="/sign-in/passkey" variant="default" onDone={(next) => setPresence(client, next)}>
						{signInTexts.passkey}
					</PasskeyButton>
				</>
			)}
		</Stack>
	);
}
