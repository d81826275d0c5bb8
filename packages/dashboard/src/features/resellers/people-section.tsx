import '@mantine/core/styles/Badge.css';
import type { ListedPerson, ResellerDetails } from '@bursar/contract/dashboard';
import { Badge, Group } from '@mantine/core';
import { roleTexts } from '../../forms/texts.ts';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { Email } from '../../page/email.tsx';
import { Ago } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { InvitePerson } from './invite-person.tsx';
import { PersonActions } from './person-actions.tsx';
import { resellerTexts } from './texts.ts';

const STATE_COLORS = { invited: 'yellow', active: 'green', locked: 'red' } satisfies Record<
	ListedPerson['state'],
	string
>;

/** Who may sign in for a reseller. */
export function PeopleSection({ reseller, people }: Pick<ResellerDetails, 'reseller' | 'people'>) {
	return (
		<Section
			title={resellerTexts.people}
			lead={resellerTexts.peopleLead}
			actions={<InvitePerson reseller={reseller}>{resellerTexts.invite}</InvitePerson>}
		>
			{people.length === 0 ? (
				<Empty>{resellerTexts.noPeople}</Empty>
			) : (
				<PeopleList people={people} reseller={reseller} />
			)}
		</Section>
	);
}

interface ListProps {
	readonly people: readonly ListedPerson[];
	/** `null`: they are operators. */
	readonly reseller: string | null;
	/** Of the person who looks. Nobody locks or resets the own account. */
	readonly ownEmail?: string | undefined;
}

export function PeopleList({ people, reseller, ownEmail }: ListProps) {
	return (
		<ItemList>
			{people.map((person) => (
				<Person key={person.email} person={person} reseller={reseller} isOwn={person.email === ownEmail} />
			))}
		</ItemList>
	);
}

interface PersonProps {
	readonly person: ListedPerson;
	readonly reseller: string | null;
	readonly isOwn: boolean;
}

function Person({ person, reseller, isOwn }: PersonProps) {
	const { email, role, state, second_factor, last_seen } = person;
	const roleName = role === null ? undefined : roleTexts.names[role];
	return (
		<Item
			name={
				<Group gap="xs">
					<span>
						<Email address={email} />
					</span>
					<Badge variant="light" color={STATE_COLORS[state]} c="var(--mantine-color-text)" tt="none">
						{resellerTexts.states[state]}
					</Badge>
				</Group>
			}
			details={
				state === 'invited' ? (
					roleName
				) : (
					<>
						{roleName && `${roleName}, `}
						{second_factor ? resellerTexts.withFactor : resellerTexts.withoutFactor},{' '}
						{last_seen === null ? (
							resellerTexts.notSignedIn
						) : (
							<>
								{resellerTexts.seen} <Ago at={last_seen} />
							</>
						)}
					</>
				)
			}
			actions={
				!isOwn && (
					<Group gap="xs">
						{state === 'invited' && (
							<InvitePerson
								reseller={reseller}
								invited={person}
								size="xs"
								aria-label={resellerTexts.inviteAgainOne(email)}
							>
								{resellerTexts.inviteAgain}
							</InvitePerson>
						)}
						<PersonActions person={person} />
					</Group>
				)
			}
		/>
	);
}
