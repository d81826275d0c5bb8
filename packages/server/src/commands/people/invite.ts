import type { Role } from '@bursar/contract/dashboard';
import { MAX_TEAM } from '@bursar/contract/dashboard-limits';
import type { Invitation, Person } from '../../domain/people/person.ts';
import { type CallersCommand, callersVerb, refused } from '../person-verb.ts';
import { type Linked, linked } from './links.ts';

export interface InvitePerson extends CallersCommand {
	readonly kind: 'invite_person';
	/** For a new person. */
	readonly id: string;
	readonly email: string;
	/** `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly linkHash: string;
	readonly purpose: Exclude<Invitation['purpose'], 'claim'>;
}

/**
 * Invites a new person, or makes a new link for one who has never set a password. A link that only signs in can be made
 * for any person of that reseller, and only on the command line: with such a link, an operator could sign in as any person.
 */
export const invitePerson = callersVerb<InvitePerson, Linked, 'unknown_reseller' | 'email_taken' | 'team_full'>({
	kind: 'invite_person',
	calls: ['/team/invite', '/operator/people/invite'],
	needs: ({ email, reseller }) => ({
		person: { by: 'email', value: email },
		...(reseller !== null && { reseller, teamOf: reseller }),
	}),
	decide({ record, isResellerKnown, teamSize }, command, nowMs, caller) {
		const { id, email, reseller, role } = command;
		if (caller && command.purpose === 'sign_in') throw new Error('no link that only signs in is made for a page');
		if ((reseller === null) !== (role === null))
			throw new Error('people of a reseller have a role, and operators none');
		if (reseller !== null && !isResellerKnown) return refused('unknown_reseller');
		if (!record) {
			if (reseller !== null && teamSize >= MAX_TEAM) return refused('team_full');
			const person: Person = { id, email, reseller, role, passwordHash: null, createdAtMs: nowMs, lockedAtMs: null };
			return linked(person, command, nowMs, [{ kind: 'add_person', person }]);
		}
		const { person } = record;
		const hasPassword = person.passwordHash !== null && command.purpose === 'set_password';
		if (hasPassword || person.reseller !== reseller) return refused('email_taken');
		const isChanged = role !== person.role;
		return linked(person, command, nowMs, isChanged ? [{ kind: 'change_person', person: { ...person, role } }] : []);
	},
});
