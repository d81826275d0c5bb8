import type { CommandLineAct } from '../../domain/people/act.ts';
import { CLAIM_LIFE_MS, type Person } from '../../domain/people/person.ts';
import { type PersonVerb, refused } from '../person-verb.ts';
import type { LinkUse } from './accept-invitation.ts';
import type { Linked } from './links.ts';
import { type SignedIn, startSession } from './sessions.ts';

export interface MakeClaim {
	readonly kind: 'make_claim';
	/** For the new person. */
	readonly id: string;
	readonly linkHash: string;
	readonly unattended?: CommandLineAct | undefined;
}

export interface Claim extends LinkUse {
	readonly kind: 'claim';
	readonly email: string;
	readonly passwordHash: string;
}

/**
 * Makes the link with which the first operator claims the service. It replaces the previous one. An operator who was only
 * invited is one already.
 */
export const makeClaim: PersonVerb<MakeClaim, Pick<Linked, 'ok' | 'expiresAtMs'>, 'operator_exists'> = {
	kind: 'make_claim',
	calls: [],
	owner: () => 'operator',
	needs: () => ({ claim: true }),
	decide({ hasOperator, claim }, { id, linkHash }, nowMs) {
		if (hasOperator) return refused('operator_exists');
		const expiresAtMs = nowMs + CLAIM_LIFE_MS;
		// With the same person, it replaces the previous link.
		const invitation = { hash: linkHash, person: claim?.person ?? id, purpose: 'claim', expiresAtMs } as const;
		return { outcome: { ok: true, expiresAtMs }, effects: [{ kind: 'set_invitation', invitation }] };
	},
};

/**
 * Uses the link of `makeClaim`: the person becomes the first operator, and is signed in. Once there is an operator, the
 * link is of no use, however the operator came in.
 */
export const claim: PersonVerb<Claim, SignedIn, 'invalid_link' | 'email_taken'> = {
	kind: 'claim',
	calls: [],
	owner: ({ linkHash }) => linkHash,
	needs: ({ email }) => ({ person: { by: 'email', value: email }, claim: true }),
	decide({ hasOperator, claim, record }, command, nowMs) {
		const { linkHash, email, passwordHash, session, actId, requestId } = command;
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
	},
};
