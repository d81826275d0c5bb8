import type { Person } from '../../domain/people/person.ts';
import { type CallersCommand, callersVerb, isSamePerson, refused } from '../person-verb.ts';
import { type GivenLink, type Linked, linked, needsOfLink, removeSessions } from './links.ts';

export interface ResetPerson extends CallersCommand, GivenLink {
	readonly kind: 'reset_person';
	readonly email: string;
}

/** Removes the password and all factors, ends all sessions, and makes a new link. */
export const resetPerson = callersVerb<ResetPerson, Linked, 'unknown_person' | 'own_account'>({
	kind: 'reset_person',
	calls: ['/operator/people/reset'],
	needs: ({ email }) => ({ person: { by: 'email', value: email }, ...needsOfLink(null) }),
	decide(facts, command, nowMs, caller) {
		const { record } = facts;
		if (!record) return refused('unknown_person');
		if (isSamePerson(record, caller)) return refused('own_account');
		const person: Person = { ...record.person, passwordHash: null };
		return linked(facts, { person, invites: null }, { ...command, purpose: 'set_password' }, nowMs, [
			{ kind: 'change_person', person },
			...removeSessions(record),
			...(record.codes ? [{ kind: 'remove_codes', person: person.id } as const] : []),
			{ kind: 'replace_recovery_codes', person: person.id, hashes: [] },
			...record.passkeys.map(({ id }) => ({ kind: 'remove_passkey', id }) as const),
		]);
	},
});
