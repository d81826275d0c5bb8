import { decideForCaller, isKnownTo } from '../people/caller.ts';
import { endSessions, linked } from '../people/decide-invitation.ts';
import type { Person, PersonRecord } from '../people/person.ts';
import { DONE, type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import type {
	EndAllSessions,
	LockPerson,
	RemovePerson,
	ResetPerson,
	SetRole,
	UnlockPerson,
} from './operator-command.ts';

export function decideReset(facts: PersonFacts, command: ResetPerson, nowMs: number): PersonDecision<ResetPerson> {
	const { record } = facts;
	return decideForCaller(facts, command, nowMs, (caller) => {
		if (!record) return refused('unknown_person');
		if (isSame(record, caller)) return refused('own_account');
		const person: Person = { ...record.person, passwordHash: null };
		return linked(person, { linkHash: command.linkHash, purpose: 'set_password' }, nowMs, [
			{ kind: 'change_person', person },
			...endSessions(record),
			...(record.codes ? [{ kind: 'remove_codes', person: person.id } as const] : []),
			{ kind: 'replace_recovery_codes', person: person.id, hashes: [] },
			...record.passkeys.map(({ id }) => ({ kind: 'remove_passkey', id }) as const),
		]);
	});
}

/** A locked person keeps the password, the factors and the link. None of them is of use before it is unlocked. */
export function decideLock(facts: PersonFacts, command: LockPerson, nowMs: number): PersonDecision<LockPerson> {
	const { record } = facts;
	return decideForCaller(facts, command, nowMs, (caller) => {
		if (!record) return refused('unknown_person');
		if (isSame(record, caller)) return refused('own_account');
		const person: Person = { ...record.person, lockedAtMs: record.person.lockedAtMs ?? nowMs };
		return { outcome: DONE, effects: [{ kind: 'change_person', person }, ...endSessions(record)] };
	});
}

export function decideUnlock(facts: PersonFacts, command: UnlockPerson, nowMs: number): PersonDecision<UnlockPerson> {
	const { record } = facts;
	return decideForCaller(facts, command, nowMs, () => {
		if (!record) return refused('unknown_person');
		return { outcome: DONE, effects: [{ kind: 'change_person', person: { ...record.person, lockedAtMs: null } }] };
	});
}

/** An operator who asks on the dashboard is another one than the removed. So only the command line could remove the last. */
export function decideRemoval(facts: PersonFacts, command: RemovePerson, nowMs: number): PersonDecision<RemovePerson> {
	const { record, hasOtherOperator } = facts;
	return decideForCaller(facts, command, nowMs, (caller) => {
		if (!record || !isKnownTo(record, caller)) return refused('unknown_person');
		if (isSame(record, caller)) return refused('own_account');
		if (record.person.reseller === null && !hasOtherOperator) return refused('last_operator');
		return { outcome: DONE, effects: [{ kind: 'remove_person', person: record.person, removedAtMs: nowMs }] };
	});
}

/** Owners give no role to themselves, so an owner always stays: the one who asks. */
export function decideRole(facts: PersonFacts, command: SetRole, nowMs: number): PersonDecision<SetRole> {
	const { record } = facts;
	return decideForCaller(facts, command, nowMs, (caller) => {
		if (!record || !isKnownTo(record, caller)) return refused('unknown_person');
		if (isSame(record, caller)) return refused('own_account');
		if (record.person.reseller === null) return refused('not_for_operators');
		return { outcome: DONE, effects: [{ kind: 'change_person', person: { ...record.person, role: command.role } }] };
	});
}

/** The last operator could lock everybody out, and nobody on the dashboard could undo it. */
function isSame({ person }: PersonRecord, caller: PersonRecord | undefined): boolean {
	return person.id === caller?.person.id;
}

/** Links end too: after a restore, those that were used since would work again. */
export function decideEndOfAllSessions({ liveSessions }: PersonFacts): PersonDecision<EndAllSessions> {
	return {
		outcome: { ok: true, sessions: liveSessions },
		effects: [{ kind: 'remove_all_sessions' }, { kind: 'remove_all_invitations' }, { kind: 'end_all_edge_links' }],
	};
}
