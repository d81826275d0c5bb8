import { type InvitedPerson, normalizeNewEmail, type Presence } from '@bursar/contract/dashboard';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { refreshPresence, setPresence } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { EmailField } from '../../forms/email-field.tsx';
import { useBrand, useServiceName } from '../../mark/use-brand.ts';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Loading } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { FactorChoice } from '../factors/factor-choice.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../factors/new-password.tsx';
import { invitationIntro, invitationTexts } from './texts.ts';
import { type OpenedLink, useInvitedPerson, useLink } from './use-link.ts';

/** Where the link of an invitation leads. */
export function InvitationPage() {
	const link = useLink();
	const brand = useBrand();
	// Its title has the name of the service.
	if (!link || !brand) return <Loading />;
	if (link.secret === undefined) {
		return (
			<Page title={invitationTexts.noLinkTitle} lead={invitationTexts.noLink}>
				<ToSignIn />
			</Page>
		);
	}
	return <Steps key={link.number} link={link} secret={link.secret} />;
}

function Steps({ link, secret }: { readonly link: OpenedLink; readonly secret: string }) {
	const client = useQueryClient();
	const [, navigate] = useLocation();
	const service = useServiceName();
	const invited = useInvitedPerson(link);
	/** Who has signed in with the link. */
	const [presence, setAccepted] = useState<Presence>();

	function accept(next: Presence) {
		setPresence(client, next);
		if (invited.data?.signs_in) navigate('/', { replace: true });
		else setAccepted(next);
	}
	async function finish() {
		await refreshPresence(client);
		navigate('/', { replace: true });
	}

	if (presence) {
		return <FactorChoice onDone={finish} onSkip={presence.person?.second_factor_required ? undefined : finish} />;
	}
	if (!invited.data) {
		return (
			<Page title={invitationTexts.title(service)}>
				<Answered query={invited}>{() => null}</Answered>
				{invited.error && <ToSignIn />}
			</Page>
		);
	}
	return <Invited link={secret} invited={invited.data} onAccepted={accept} />;
}

/** The page is loaded again, so that who is signed in is read anew. */
function ToSignIn() {
	return (
		<Text size="sm">
			<Anchor href={`${import.meta.env.BASE_URL}sign-in`}>{invitationTexts.toSignIn}</Anchor>
		</Text>
	);
}

interface Props {
	readonly link: string;
	readonly invited: InvitedPerson;
	readonly onAccepted: (presence: Presence) => void;
}

/** Uses a link: sets the password of the invited person, claims the service, or only signs in. */
function Invited({ link, invited, onAccepted }: Props) {
	const { email, signs_in } = invited;
	const claims = email === null;
	const [typed, setTyped] = useState('');
	const [password, setPassword] = useState(NO_PASSWORD);
	const isEmail = !claims || normalizeNewEmail(typed) !== undefined;
	const accept = useChange('/invitation/accept');

	async function submit(event: FormEvent) {
		event.preventDefault();
		const presence = await accept.run({
			link,
			...(claims && { email: typed }),
			...(!signs_in && { password: password.password }),
		});
		if (presence) onAccepted(presence);
	}

	return (
		<Page {...invitationIntro(invited, useServiceName())}>
			<form onSubmit={submit}>
				<Stack>
					{!signs_in && (
						<>
							<EmailField
								label={invitationTexts.email}
								readOnly={!claims}
								error={isEmail || typed === '' ? undefined : invitationTexts.badEmail}
								value={email ?? typed}
								onType={setTyped}
							/>
							<NewPasswordFields value={password} onChange={setPassword} />
						</>
					)}
					<Failure error={accept.failure} />
					<Button type="submit" disabled={!isEmail || (!signs_in && !isComplete(password))} loading={accept.isBusy}>
						{signs_in ? invitationTexts.signIn : invitationTexts.accept}
					</Button>
				</Stack>
			</form>
		</Page>
	);
}
