import { startSession } from './decide-sign-in.ts';
import { INVITATION_LIFE_MS, type Person, type PersonRecord } from './person.ts';
import type {
	AcceptInvitation,
	EndAllSessions,
	InvitePerson,
	LockPerson,
	ResetPerson,
	UnlockPerson,
} from './person-command.ts';
import { DONE, type PersonDecision, type PersonEffect, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';

export function decideInvitation(
	{ record, isResellerKnown }: PersonFacts,
	command: InvitePerson,
	nowMs: number,
): PersonDecision<InvitePerson> {
	const { id, email, reseller } = command;
	if (reseller !== null && !isResellerKnown) return refused('unknown_reseller');
	if (!record) {
		const person: Person = { id, email, reseller, passwordHash: null, createdAtMs: nowMs, lockedAtMs: null };
		return linked(person, command, nowMs, [{ kind: 'add_person', person }]);
	}
	const { person } = record;
	const hasPassword = person.passwordHash !== null && command.purpose === 'set_password';
	if (hasPassword || person.reseller !== reseller) return refused('email_taken');
	return linked(person, command, nowMs, []);
}

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

/** Makes a new link. It replaces the person's previous one. */
function linked(
	{ id, email }: Person,
	{ linkHash, purpose }: Pick<InvitePerson, 'linkHash' | 'purpose'>,
	nowMs: number,
	effects: readonly PersonEffect[],
) {
	const expiresAtMs = nowMs + INVITATION_LIFE_MS;
	const invitation = { hash: linkHash, person: id, purpose, expiresAtMs };
	const link: PersonEffect = { kind: 'set_invitation', invitation };
	return { outcome: { ok: true, email, expiresAtMs }, effects: [...effects, link] } as const;
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

/** A link is good once, and ends all sessions that the person had. */
export function decideAcceptance(
	{ record }: PersonFacts,
	{ linkHash, passwordHash, session, actId }: AcceptInvitation,
	nowMs: number,
): PersonDecision<AcceptInvitation> {
	const invitation = record?.invitation;
	if (!record || invitation?.hash !== linkHash || nowMs >= invitation.expiresAtMs) return refused('invalid_link');
	if (record.person.lockedAtMs !== null) return refused('invalid_link');
	if ((invitation.purpose === 'set_password') !== (passwordHash !== undefined)) return refused('invalid_link');
	const person: Person = { ...record.person, passwordHash: passwordHash ?? record.person.passwordHash };
	const started = startSession({ ...record, sessions: [] }, session, nowMs);
	const { address } = session;
	const act = { id: actId, person: person.id, session: session.id, address, kind: 'accept_invitation', target: '' };
	return {
		outcome: { ok: true, session: started.session },
		effects: [
			{ kind: 'change_person', person },
			{ kind: 'remove_invitation', person: person.id },
			...endSessions(record),
			...started.effects,
			{ kind: 'record_act', act: { ...act, atMs: nowMs } },
		],
	};
}

function endSessions({ sessions }: PersonRecord): readonly PersonEffect[] {
	return sessions.map(({ hash }) => ({ kind: 'remove_session', hash }));
}
