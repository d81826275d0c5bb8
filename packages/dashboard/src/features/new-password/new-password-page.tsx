import type { PasswordLink } from '@bursar/contract/dashboard';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { change } from '../../calls/call.ts';
import { useChange } from '../../calls/use-change.ts';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Loading } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../factors/new-password.tsx';
import { useLink } from '../invitation/use-link.ts';
import { forgottenTexts, newPasswordTexts } from './texts.ts';

/** Where the link for a forgotten password leads. */
export function NewPasswordPage() {
	const link = useLink();
	if (!link) return <Loading />;
	if (link.secret === undefined) {
		return (
			<Page title={newPasswordTexts.noLinkTitle} lead={newPasswordTexts.noLink}>
				<AskAgain />
			</Page>
		);
	}
	return <Opened key={link.number} number={link.number} link={link.secret} />;
}

/** The key of the read has only the number of the link, because the link is a secret. */
function Opened({ number, link }: { readonly number: number; readonly link: string }) {
	const query = useQuery({
		queryKey: ['new password', number],
		queryFn: () => change('/password/link', { link }),
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
	});
	const [isDone, setDone] = useState(false);
	if (isDone) return <Done />;
	return (
		<Page title={newPasswordTexts.title} lead={query.data && newPasswordTexts.lead(query.data.email)}>
			<Answered query={query}>
				{(found) => <NewPasswordForm link={link} found={found} onDone={() => setDone(true)} />}
			</Answered>
			{query.error && <AskAgain />}
		</Page>
	);
}

interface Props {
	readonly link: string;
	readonly found: PasswordLink;
	readonly onDone: () => void;
}

function NewPasswordForm({ link, found, onDone }: Props) {
	const [password, setPassword] = useState(NO_PASSWORD);
	const setting = useChange('/password/new');

	async function submit(event: FormEvent) {
		event.preventDefault();
		if (await setting.run({ link, password: password.password })) onDone();
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				{/* For the browser, which keeps the password for this address. */}
				<TextInput label={newPasswordTexts.email} autoComplete="username" readOnly value={found.email} />
				<NewPasswordFields value={password} onChange={setPassword} />
				<Failure error={setting.failure} />
				<Button type="submit" disabled={!isComplete(password)} loading={setting.isBusy}>
					{newPasswordTexts.set}
				</Button>
			</Stack>
		</form>
	);
}

/** The sign-in page is loaded anew, because a session of this browser may have ended. */
function Done() {
	return (
		<Page key="done" title={newPasswordTexts.doneTitle} lead={newPasswordTexts.done}>
			<Text>
				<Anchor href={`${import.meta.env.BASE_URL}sign-in`}>{forgottenTexts.toSignIn}</Anchor>
			</Text>
		</Page>
	);
}

function AskAgain() {
	return (
		<Text size="sm">
			<Anchor component={Link} href="/forgot-password">
				{newPasswordTexts.again}
			</Anchor>
		</Text>
	);
}
