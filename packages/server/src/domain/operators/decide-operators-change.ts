import { endSessions, linked } from '../people/decide-invitation.ts';
import type { Person } from '../people/person.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type { EndAllSessions, LockPerson, ResetPerson, UnlockPerson } from './operator-command.ts';

export function decideReset(
	{ record }: PersonFacts,
	{ linkHash }: ResetPerson,
	nowMs: number,
): PersonDecision<ResetPerson> {
	if (!record) return refused('unknown_person');
	const person: Person = { ...record.person, passwordHash: null };
	return linked(person, { linkHash, purpose: 'set_password' }, nowMs, [
		{ kind: 'change_person', person },
		...endSessions(record),
		...(record.codes ? [{ kind: 'remove_codes', person: person.id } as const] : []),
		{ kind: 'replace_recovery_codes', person: person.id, hashes: [] },
		...record.passkeys.map(({ id }) => ({ kind: 'remove_passkey', id }) as const),
	]);
}

/** A locked person keeps the password, the factors and the link. None of them is of use before it is unlocked. */
export function decideLock({ record }: PersonFacts, nowMs: number): PersonDecision<LockPerson> {
	if (!record) return refused('unknown_person');
	const person: Person = { ...record.person, lockedAtMs: record.person.lockedAtMs ?? nowMs };
	return { outcome: DONE, effects: [{ kind: 'change_person', person }, ...endSessions(record)] };
}

export function decideUnlock({ record }: PersonFacts): PersonDecision<UnlockPerson> {
	if (!record) return refused('unknown_person');
	return { outcome: DONE, effects: [{ kind: 'change_person', person: { ...record.person, lockedAtMs: null } }] };
}

/** Links end too: after a restore, those that were used since would work again. */
export function decideEndOfAllSessions({ liveSessions }: PersonFacts): PersonDecision<EndAllSessions> {
	return {
		outcome: { ok: true, sessions: liveSessions },
		effects: [{ kind: 'remove_all_sessions' }, { kind: 'remove_all_invitations' }],
	};
}
