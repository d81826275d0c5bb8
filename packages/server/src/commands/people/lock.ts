import type { Person } from '../../domain/people/person.ts';
import { type CallersCommand, callersVerb, DONE, type Done, isSamePerson, refused } from '../person-verb.ts';
import { removeSessions } from './links.ts';

export interface LockPerson extends CallersCommand {
	readonly kind: 'lock_person';
	readonly email: string;
}

export interface UnlockPerson extends CallersCommand {
	readonly kind: 'unlock_person';
	readonly email: string;
}

/**
 * Ends all sessions, and lets the person sign in no more. A locked person keeps the password, the factors and the link.
 * None of them is of use before it is unlocked.
 */
export const lockPerson = callersVerb<LockPerson, Done, 'unknown_person' | 'own_account'>({
	kind: 'lock_person',
	calls: ['/operator/people/lock'],
	needs: ({ email }) => ({ person: { by: 'email', value: email } }),
	decide({ record }, _, nowMs, caller) {
		if (!record) return refused('unknown_person');
		if (isSamePerson(record, caller)) return refused('own_account');
		const person: Person = { ...record.person, lockedAtMs: record.person.lockedAtMs ?? nowMs };
		return { outcome: DONE, effects: [{ kind: 'change_person', person }, ...removeSessions(record)] };
	},
});

export const unlockPerson = callersVerb<UnlockPerson, Done, 'unknown_person'>({
	kind: 'unlock_person',
	calls: ['/operator/people/unlock'],
	needs: ({ email }) => ({ person: { by: 'email', value: email } }),
	decide({ record }) {
		if (!record) return refused('unknown_person');
		return { outcome: DONE, effects: [{ kind: 'change_person', person: { ...record.person, lockedAtMs: null } }] };
	},
});
