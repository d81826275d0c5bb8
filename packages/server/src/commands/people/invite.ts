import type { Role } from '@bursar/contract/dashboard';
import { MAX_TEAM } from '@bursar/contract/dashboard-limits';
import type { Invitation, Person } from '../../domain/people/person.ts';
import { type CallersCommand, callersVerb, refused } from '../person-verb.ts';
import { type GivenLink, type Linked, linked, needsOfLink } from './links.ts';

export interface InvitePerson extends CallersCommand, GivenLink {
	readonly kind: 'invite_person';
	/** For a new person. */
	readonly id: string;
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly purpose: Exclude<Invitation['purpose'], 'claim'>;
}

/**
 * Invites a new person, or makes a new link for one who has never set a password. A link that only signs in can be made
 * for any person of that reseller, and only on the command line: with such a link, an operator could sign in as any person.
 */
export const invitePerson = callersVerb<InvitePerson, Linked, 'unknown_reseller' | 'email_taken' | 'team_full'>({
	kind: 'invite_person',
	calls: ['/team/invite', '/operator/people/invite'],
	needs: ({ email, reseller, by }) => ({
		person: { by: 'email', value: email },
		...needsOfLink(by ? reseller : null),
		...(reseller !== null && { reseller, teamOf: reseller }),
	}),
	decide(facts, command, nowMs, caller) {
		const { record, isResellerKnown, teamSize } = facts;
		const { id, email, reseller, role } = command;
		const invites = caller?.person.reseller ?? null;
		if (caller && command.purpose === 'sign_in') throw new Error('no link that only signs in is made for a page');
		if ((reseller === null) !== (role === null))
			throw new Error('people of a reseller have a role, and operators none');
		if (reseller !== null && !isResellerKnown) return refused('unknown_reseller');
		if (!record) {
			if (reseller !== null && teamSize >= MAX_TEAM) return refused('team_full');
			const person: Person = { id, email, reseller, role, passwordHash: null, createdAtMs: nowMs, lockedAtMs: null };
			return linked(facts, { person, invites }, command, nowMs, [{ kind: 'add_person', person }]);
		}
		const { person } = record;
		const hasPassword = person.passwordHash !== null && command.purpose === 'set_password';
		if (hasPassword || person.reseller !== reseller) return refused('email_taken');
		const isChanged = role !== person.role;
		return linked(
			facts,
			{ person, invites },
			command,
			nowMs,
			isChanged ? [{ kind: 'change_person', person: { ...person, role } }] : [],
		);
	},
});
