import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { usePresence } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { EmailField } from '../../forms/email-field.tsx';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Page } from '../../page/page.tsx';
import { forgottenTexts } from './texts.ts';

/** Mails a link to a person who forgot the password. It says the same for each address, whether it knows it or not. */
export function ForgottenPage() {
	const presence = usePresence();
	const [sentTo, setSentTo] = useState<string>();
	if (sentTo !== undefined) {
		return (
			<Page key="sent" title={forgottenTexts.sentTitle}>
				<Text>{forgottenTexts.sent(sentTo)}</Text>
				<Text size="sm">{forgottenTexts.notCame}</Text>
				<Text size="sm">{forgottenTexts.noFactor}</Text>
				<ToSignIn />
			</Page>
		);
	}
	return (
		<Page title={forgottenTexts.title} lead={presence.data?.sends_mail ? forgottenTexts.lead : undefined}>
			<Answered query={presence}>
				{({ sends_mail }) => (sends_mail ? <Asking onSent={setSentTo} /> : <Text>{forgottenTexts.noMail}</Text>)}
			</Answered>
			<ToSignIn />
		</Page>
	);
}

function Asking({ onSent }: { readonly onSent: (email: string) => void }) {
	const [email, setEmail] = useState('');
	const asking = useChange('/password/forgot');

	async function submit(event: FormEvent) {
		event.preventDefault();
		const typed = email.trim();
		if (await asking.run({ email: typed })) onSent(typed);
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				<EmailField label={forgottenTexts.email} name="email" required value={email} onType={setEmail} />
				<Failure error={asking.failure} />
				<Button type="submit" disabled={email.trim() === ''} loading={asking.isBusy}>
					{forgottenTexts.send}
				</Button>
			</Stack>
		</form>
	);
}

function ToSignIn() {
	return (
		<Text size="sm">
			<Anchor component={Link} href="/sign-in">
				{forgottenTexts.toSignIn}
			</Anchor>
		</Text>
	);
}
