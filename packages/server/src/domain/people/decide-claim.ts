import type { MakeClaim } from '../operators/operator-command.ts';
import { startSession } from './decide-sign-in.ts';
import { CLAIM_LIFE_MS, type Person } from './person.ts';
import { type PersonDecision, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';
import type { Claim } from './sign-in-command.ts';

/** Makes the link of the first operator. An operator who was only invited is one already. */
export function decideClaimLink(
	{ hasOperator, claim }: PersonFacts,
	{ id, linkHash }: MakeClaim,
	nowMs: number,
): PersonDecision<MakeClaim> {
	if (hasOperator) return refused('operator_exists');
	const expiresAtMs = nowMs + CLAIM_LIFE_MS;
	// With the same person, it replaces the previous link.
	const invitation = { hash: linkHash, person: claim?.person ?? id, purpose: 'claim', expiresAtMs } as const;
	return { outcome: { ok: true, expiresAtMs }, effects: [{ kind: 'set_invitation', invitation }] };
}

/** Once there is an operator, the link is of no use, however the operator came in. */
export function decideClaim(
	{ hasOperator, claim, record }: PersonFacts,
	{ linkHash, email, passwordHash, session, actId, requestId }: Claim,
	nowMs: number,
): PersonDecision<Claim> {
	if (hasOperator || claim?.hash !== linkHash || nowMs >= claim.expiresAtMs) return refused('invalid_link');
	if (record) return refused('email_taken');
	const person: Person = {
		id: claim.person,
		email,
		reseller: null,
		role: null,
		passwordHash,
		createdAtMs: nowMs,
		lockedAtMs: null,
	};
	const started = startSession({ person, sessions: [] }, session, nowMs);
	const { id, address } = started.session;
	const act = { id: actId, person: person.id, session: id, address, kind: 'claim', target: '', requestId };
	return {
		outcome: { ok: true, session: started.session },
		effects: [
			{ kind: 'add_person', person },
			{ kind: 'remove_invitation', person: person.id },
			...started.effects,
			{ kind: 'record_act', act: { ...act, reseller: null, atMs: nowMs } },
		],
	};
}
