import type { AnyPerson, ResellerDetails } from '@bursar/contract/dashboard';
import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { roleTexts } from '../../forms/texts.ts';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { Ago } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { PERSON_TONES, StateBadge } from '../../page/state-badge.tsx';
import { InvitePerson } from './invite-dialog.tsx';
import { PersonActions } from './person-actions.tsx';
import { peopleTexts } from './texts.ts';

interface ListProps {
	readonly people: readonly AnyPerson[];
	/** Whether each row names the reseller of the person. */
	readonly isMixed?: boolean;
	/** The e-mail address of the operator, who cannot lock, reset or remove the own account. */
	readonly ownEmail?: string | undefined;
}

/** People, with what an operator does to each. */
export function PeopleList({ people, isMixed = false, ownEmail }: ListProps) {
	return (
		<ItemList>
			{people.map((person) => (
				<Person key={person.email} person={person} isMixed={isMixed} isOwn={person.email === ownEmail} />
			))}
		</ItemList>
	);
}

/** Who may sign in for a reseller. */
export function PeopleSection({ reseller, people }: Pick<ResellerDetails, 'reseller' | 'people'>) {
	return (
		<Section
			title={peopleTexts.people}
			lead={peopleTexts.peopleLead}
			actions={<InvitePerson reseller={reseller}>{peopleTexts.invite}</InvitePerson>}
		>
			{people.length === 0 ? (
				<Empty>{peopleTexts.noPeople}</Empty>
			) : (
				<PeopleList people={people.map((person) => ({ ...person, reseller }))} />
			)}
		</Section>
	);
}

interface PersonProps {
	readonly person: AnyPerson;
	readonly isMixed: boolean;
	readonly isOwn: boolean;
}

function Person({ person, isMixed, isOwn }: PersonProps) {
	const { email, reseller, state } = person;
	return (
		<Item
			name={
				<Group gap="xs">
					<Name>{email}</Name>
					<StateBadge tone={PERSON_TONES[state]}>{peopleTexts.states[state]}</StateBadge>
				</Group>
			}
			details={<Details person={person} isMixed={isMixed} />}
			actions={
				isOwn ? (
					peopleTexts.you
				) : (
					<Group gap="xs">
						{state === 'invited' && (
							<InvitePerson
								reseller={reseller}
								invited={person}
								size="xs"
								aria-label={peopleTexts.inviteAgainOne(email)}
							>
								{peopleTexts.inviteAgain}
							</InvitePerson>
						)}
						<PersonActions person={person} />
					</Group>
				)
			}
		/>
	);
}

/** Whose person it is, the role, and how the person signs in, with points between. */
function Details({ person, isMixed }: Pick<PersonProps, 'person' | 'isMixed'>) {
	const { reseller, role, state, second_factor, last_seen } = person;
	const parts: ReactNode[] = [
		isMixed && <Whose key="whose" reseller={reseller} />,
		role !== null && roleTexts.names[role],
		state !== 'invited' && (second_factor ? peopleTexts.withFactor : peopleTexts.withoutFactor),
		state !== 'invited' && <Seen key="seen" at={last_seen} />,
	].filter((part) => part !== false);
	return parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]));
}

function Whose({ reseller }: Pick<AnyPerson, 'reseller'>) {
	if (reseller === null) return peopleTexts.operator;
	return (
		<Anchor component={Link} href={resellerPath(reseller)} size="sm" underline="always">
			<Name>{reseller}</Name>
		</Anchor>
	);
}

function Seen({ at }: { readonly at: string | null }) {
	if (at === null) return peopleTexts.notSignedIn;
	return (
		<>
			{peopleTexts.seen} <Ago at={at} />
		</>
	);
}
