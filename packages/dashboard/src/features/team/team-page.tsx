import type { ListedPerson } from '@bursar/contract/dashboard';
import { Badge, Group } from '@mantine/core';
import { usePresence } from '../../calls/presence.ts';
import { useMay } from '../../calls/use-may.ts';
import { useRead } from '../../calls/use-read.ts';
import { roleTexts } from '../../forms/texts.ts';
import { Item, ItemList } from '../../lists/item.tsx';
import { Answered } from '../../page/answered.tsx';
import { Ago } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { PERSON_TONES, StateBadge } from '../../page/state-badge.tsx';
import { pageNames } from '../../shell/texts.ts';
import { ChangeRole, InviteColleague, RemoveColleague } from './colleague-actions.tsx';
import { teamTexts } from './texts.ts';

/** The people of a reseller. All of them see this page, and owners change it. */
export function TeamPage({ reseller }: { readonly reseller: string }) {
	const query = useRead('/team', {});
	const mayChange = useMay('/team/invite');
	const ownEmail = usePresence().data?.person?.email;
	return (
		<Page title={pageNames.team} lead={teamTexts.lead(reseller)}>
			<Section
				title={teamTexts.people}
				lead={mayChange ? undefined : teamTexts.onlyOwners}
				actions={mayChange && <InviteColleague>{teamTexts.invite}</InviteColleague>}
			>
				<Answered query={query}>
					{({ people }) => (
						<ItemList>
							{people.map((person) => (
								<Colleague key={person.email} person={person} isOwn={person.email === ownEmail} mayChange={mayChange} />
							))}
						</ItemList>
					)}
				</Answered>
			</Section>
		</Page>
	);
}

interface ColleagueProps {
	readonly person: ListedPerson;
	readonly isOwn: boolean;
	readonly mayChange: boolean;
}

function Colleague({ person, isOwn, mayChange }: ColleagueProps) {
	const { email, role, state } = person;
	return (
		<Item
			name={
				<Group gap="xs">
					<Name>{email}</Name>
					{role !== null && (
						<Badge variant="default" tt="none">
							{roleTexts.names[role]}
						</Badge>
					)}
					{state !== 'active' && <StateBadge tone={PERSON_TONES[state]}>{teamTexts.states[state]}</StateBadge>}
				</Group>
			}
			details={<Details person={person} isOwn={isOwn} />}
			actions={
				mayChange &&
				!isOwn && (
					<>
						{state === 'invited' && (
							<InviteColleague invited={person} size="xs" aria-label={teamTexts.inviteAgainOne(email)}>
								{teamTexts.inviteAgain}
							</InviteColleague>
						)}
						<ChangeRole person={person} />
						<RemoveColleague email={email} />
					</>
				)
			}
		/>
	);
}

function Details({ person, isOwn }: Pick<ColleagueProps, 'person' | 'isOwn'>) {
	const { state, second_factor, last_seen } = person;
	if (isOwn) return teamTexts.you;
	if (state === 'invited') return null;
	return (
		<>
			{second_factor ? teamTexts.withFactor : teamTexts.withoutFactor} ·{' '}
			{last_seen === null ? (
				teamTexts.notSignedIn
			) : (
				<>
					{teamTexts.seen} <Ago at={last_seen} />
				</>
			)}
		</>
	);
}
