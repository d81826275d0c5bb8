import type { SignInFactor } from '@bursar/contract/dashboard';
import {
	CODE_STEP_MS,
	hasSecondFactor,
	isLiveSession,
	type OneTimeCodes,
	type PersonRecord,
} from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import type { PersonFacts } from '../../domain/people/person-facts.ts';
import { DONE, type Done, type PersonVerb, refused } from '../person-verb.ts';
import { type NewSession, type SignedIn, startSession, useChallenge } from './sessions.ts';

/** What the caller has verified. The rules refuse what was used before, and what was changed meanwhile. */
export type VerifiedFactor =
	| {
			readonly kind: 'password';
			/** The hash that the password was compared with. */
			readonly passwordHash: string;
			/** The time step of the one-time code, or the hash of the recovery code. Absent if no code was sent. */
			readonly code?: { readonly step: number } | { readonly recoveryHash: string } | undefined;
	  }
	| {
			readonly kind: 'passkey';
			readonly id: string;
			readonly counter: number;
			readonly challengeHash: string;
			/** Until when the challenge could be used, in Unix milliseconds. */
			readonly challengeExpiresAtMs: number;
	  };

export interface SignIn {
	readonly kind: 'sign_in';
	readonly person: string;
	readonly factor: VerifiedFactor;
	readonly session: NewSession;
	/** The hash of the session that is replaced. */
	readonly replaces?: string | undefined;
	/** Counts of tries that are forgiven if it succeeds. */
	readonly forgives: readonly string[];
	/** Absent for a proof. */
	readonly actId?: string | undefined;
	readonly requestId: string;
}

export interface SignOut {
	readonly kind: 'sign_out';
	readonly person: string;
	readonly sessionHash: string;
}

type FactorRefusal =
	/** The person was locked, or the password or passkey is not the verified one any more. */
	'factor_changed' | 'code_required' | 'wrong_code' | 'challenge_used';

/**
 * Starts a session. For a proof, replaces the session that asks: it keeps its id and its end. It is no change of a session
 * that is live already, so it records its act itself.
 */
export const signIn: PersonVerb<SignIn, SignedIn, FactorRefusal | 'signed_out'> = {
	kind: 'sign_in',
	calls: [],
	owner: ({ person }) => person,
	needs: ({ person, factor }) => ({
		person: { by: 'id', value: person },
		...(factor.kind === 'passkey' && { challenge: factor.challengeHash }),
	}),
	decide(facts, command, nowMs) {
		const { record } = facts;
		const { factor, actId, requestId } = command;
		if (!record || record.person.lockedAtMs !== null) return refused('factor_changed');
		const replaced = record.sessions.find(({ hash }) => hash === command.replaces);
		if (command.replaces !== undefined && !(replaced && isLiveSession(replaced, nowMs))) return refused('signed_out');
		const used =
			factor.kind === 'password' ? usePassword(record, factor, nowMs) : usePasskey(facts, record, factor, nowMs);
		if (typeof used === 'string') return refused(used);
		const { session, effects } = startSession(record, command.session, nowMs, replaced);
		const { id, person, address } = session;
		const target = factorUsed(record, factor);
		const act = actId !== undefined && { id: actId, person, session: id, address, kind: 'sign_in', target, requestId };
		return {
			outcome: { ok: true, session },
			effects: [
				...used,
				...effects,
				...command.forgives.map((key) => ({ kind: 'remove_tries', key }) as const),
				...(act
					? [{ kind: 'record_act', act: { ...act, reseller: record.person.reseller, atMs: nowMs } } as const]
					: []),
			],
		};
	},
};

export const signOut: PersonVerb<SignOut, Done, never> = {
	kind: 'sign_out',
	calls: [],
	owner: ({ person }) => person,
	needs: ({ person }) => ({ person: { by: 'id', value: person } }),
	decide({ record }, { sessionHash }) {
		const isKnown = record?.sessions.some(({ hash }) => hash === sessionHash);
		return { outcome: DONE, effects: isKnown ? [{ kind: 'remove_session', hash: sessionHash }] : [] };
	},
};

/** A code that is not needed is not used. */
function factorUsed(record: PersonRecord, factor: VerifiedFactor): SignInFactor {
	if (factor.kind === 'passkey') return 'passkey';
	if (!factor.code || !hasSecondFactor(record)) return 'password';
	return 'step' in factor.code ? 'one_time_code' : 'recovery_code';
}

/** A code is good once. A code that is not needed does not count. */
function usePassword(
	record: PersonRecord,
	{ passwordHash, code }: Extract<VerifiedFactor, { kind: 'password' }>,
	nowMs: number,
): readonly PersonEffect[] | FactorRefusal {
	const { person, codes, recoveryCodes } = record;
	if (person.passwordHash !== passwordHash) return 'factor_changed';
	if (!hasSecondFactor(record)) return [];
	if (!code) return 'code_required';
	if ('step' in code) {
		if (!codes || code.step <= bindingStep(codes, nowMs)) return 'wrong_code';
		return [{ kind: 'set_codes', codes: { ...codes, lastStep: code.step } }];
	}
	if (!recoveryCodes.includes(code.recoveryHash)) return 'wrong_code';
	const hashes = recoveryCodes.filter((hash) => hash !== code.recoveryHash);
	return [{ kind: 'replace_recovery_codes', person: person.id, hashes }];
}

/**
 * The time step up to which codes are used up. If the last used step is still in the future, it was written while the
 * clock was ahead. It does not count, so that the person need not wait until that time comes.
 */
function bindingStep({ lastStep }: OneTimeCodes, nowMs: number): number {
	return lastStep > Math.floor(nowMs / CODE_STEP_MS) + 1 ? 0 : lastStep;
}

function usePasskey(
	{ isChallengeUsed }: PersonFacts,
	{ passkeys }: PersonRecord,
	factor: Extract<VerifiedFactor, { kind: 'passkey' }>,
	nowMs: number,
): readonly PersonEffect[] | FactorRefusal {
	const passkey = passkeys.find(({ id }) => id === factor.id);
	// A counter that does not grow belongs to a copy of the passkey. Passkeys that do not count stay at 0.
	const counts = passkey && (factor.counter > passkey.counter || (factor.counter === 0 && passkey.counter === 0));
	if (!counts) return 'factor_changed';
	const challenge = useChallenge(isChallengeUsed, factor, nowMs);
	if (!challenge) return 'challenge_used';
	const changed = { ...passkey, counter: factor.counter, lastUsedAtMs: nowMs };
	return [{ kind: 'change_passkey', passkey: changed }, ...challenge];
}
