import type { Presence } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { refreshPresence, setPresence } from '../api/presence.ts';
import { FactorChoice } from '../features/factors/components/factor-choice.tsx';
import { useInvitedPerson } from '../features/invitation/api/use-invited-person.ts';
import { Invited } from '../features/invitation/components/invited.tsx';
import { type OpenedLink, useLink } from '../features/invitation/use-link.ts';
import { Answered } from '../frame/answered.tsx';
import { Loading } from '../frame/loading.tsx';
import { Page } from '../frame/page.tsx';
import { invitationTexts } from '../texts/invitation.ts';

/** Where the link of an invitation leads. */
export function Invitation() {
	const link = useLink();
	if (!link) return <Loading />;
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
			<Page title={invitationTexts.title}>
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
