import type { SignInFactor } from '@bursar/contract/dashboard';
import { MAX_TEAM } from '@bursar/contract/dashboard-limits';
import type { InvitePerson } from '../operators/operator-command.ts';
import { decideForCaller } from './caller.ts';
import { startSession } from './decide-sign-in.ts';
import { INVITATION_LIFE_MS, type Person, type PersonRecord } from './person.ts';

import { type PersonDecision, type PersonEffect, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';
import type { AcceptInvitation } from './sign-in-command.ts';

export function decideInvitation(
	facts: PersonFacts,
	command: InvitePerson,
	nowMs: number,
): PersonDecision<InvitePerson> {
	// With such a link, an operator could sign in as anybody.
	if (command.by && command.purpose === 'sign_in') throw new Error('no link that only signs in is made for a page');
	return decideForCaller(facts, command, nowMs, () => decideLink(facts, command, nowMs));
}

function decideLink(
	{ record, isResellerKnown, teamSize }: PersonFacts,
	command: InvitePerson,
	nowMs: number,
): PersonDecision<InvitePerson> {
	const { id, email, reseller, role } = command;
	if ((reseller === null) !== (role === null)) throw new Error('people of a reseller have a role, and operators none');
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
}

/** A link is good once, and ends all sessions that the person had. */
export function decideAcceptance(
	{ record }: PersonFacts,
	{ linkHash, passwordHash, session, actId, requestId }: AcceptInvitation,
	nowMs: number,
): PersonDecision<AcceptInvitation> {
	const invitation = record?.invitation;
	if (!record || invitation?.hash !== linkHash || nowMs >= invitation.expiresAtMs) return refused('invalid_link');
	if (record.person.lockedAtMs !== null) return refused('invalid_link');
	if ((invitation.purpose === 'set_password') !== (passwordHash !== undefined)) return refused('invalid_link');
	const person: Person = { ...record.person, passwordHash: passwordHash ?? record.person.passwordHash };
	const started = startSession({ ...record, sessions: [] }, session, nowMs);
	const made = { id: actId, person: person.id, session: session.id, address: session.address, requestId };
	const act =
		invitation.purpose === 'sign_in'
			? { ...made, kind: 'sign_in', target: 'link' satisfies SignInFactor }
			: { ...made, kind: 'accept_invitation', target: '' };
	return {
		outcome: { ok: true, session: started.session },
		effects: [
			{ kind: 'change_person', person },
			{ kind: 'remove_invitation', person: person.id },
			...endSessions(record),
			...started.effects,
			{ kind: 'record_act', act: { ...act, reseller: person.reseller, atMs: nowMs } },
		],
	};
}

/** Makes a new link. It replaces the person's previous one. */
export function linked(
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

export function endSessions({ sessions }: PersonRecord): readonly PersonEffect[] {
	return sessions.map(({ hash }) => ({ kind: 'remove_session', hash }));
}
