import type { SignInFactor } from '@bursar/contract/dashboard';
import {
	CODE_STEP_MS,
	hasSecondFactor,
	isLiveSession,
	MAX_SESSIONS,
	type OneTimeCodes,
	type PersonRecord,
	type Session,
} from './person.ts';
import { DONE, type PersonDecision, type PersonEffect, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';
import type {
	CountTry,
	NewSession,
	RecordFailure,
	ReturnTry,
	SignIn,
	SignOut,
	VerifiedFactor,
} from './sign-in-command.ts';
import { decideTry, withoutTry } from './tries.ts';

/** How long a challenge that was used is remembered after its end, in case the clock is set back, in milliseconds. */
const CHALLENGE_MEMORY_MS = 24 * 3_600_000;

/** Counts all tries, or none of them. */
export function decideTries({ tries }: PersonFacts, command: CountTry, nowMs: number): PersonDecision<CountTry> {
	const counts = new Map(tries.map((known) => [known.key, known]));
	const refusedWaitsMs: number[] = [];
	for (const { key, limit } of command.tries) {
		const decision = decideTry(counts.get(key), limit, nowMs);
		if (decision.allowed) counts.set(key, { key, forgivenAtMs: decision.forgivenAtMs });
		else refusedWaitsMs.push(decision.waitMs);
	}
	if (refusedWaitsMs.length > 0) {
		return { outcome: { ok: false, error: 'too_many_tries', waitMs: Math.max(...refusedWaitsMs) }, effects: [] };
	}
	const counted: PersonEffect[] = Array.from(counts.values(), (each) => ({ kind: 'set_tries', tries: each }));
	return { outcome: DONE, effects: [...counted, { kind: 'forget_tries', atMs: nowMs }] };
}

/** What was forgiven meanwhile is not there any more. */
export function decideReturn({ tries: [counted] }: PersonFacts, { limit }: ReturnTry): PersonDecision<ReturnTry> {
	return { outcome: DONE, effects: counted ? [{ kind: 'set_tries', tries: withoutTry(counted, limit) }] : [] };
}

export function decideSignIn(facts: PersonFacts, command: SignIn, nowMs: number): PersonDecision<SignIn> {
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
			...(act ? [{ kind: 'record_act', act: { ...act, reseller: record.person.reseller, atMs: nowMs } } as const] : []),
		],
	};
}

/** A code that is not needed is not used. */
function factorUsed(record: PersonRecord, factor: VerifiedFactor): SignInFactor {
	if (factor.kind === 'passkey') return 'passkey';
	if (!factor.code || !hasSecondFactor(record)) return 'password';
	return 'step' in factor.code ? 'one_time_code' : 'recovery_code';
}

type SignInRefusal = 'factor_changed' | 'code_required' | 'wrong_code' | 'challenge_used';

/** A code is good once. A code that is not needed does not count. */
function usePassword(
	record: PersonRecord,
	{ passwordHash, code }: Extract<VerifiedFactor, { kind: 'password' }>,
	nowMs: number,
): readonly PersonEffect[] | SignInRefusal {
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
): readonly PersonEffect[] | SignInRefusal {
	const passkey = passkeys.find(({ id }) => id === factor.id);
	// A counter that does not grow belongs to a copy of the passkey. Passkeys that do not count stay at 0.
	const counts = passkey && (factor.counter > passkey.counter || (factor.counter === 0 && passkey.counter === 0));
	if (!counts) return 'factor_changed';
	const challenge = useChallenge(isChallengeUsed, factor, nowMs);
	if (!challenge) return 'challenge_used';
	const changed = { ...passkey, counter: factor.counter, lastUsedAtMs: nowMs };
	return [{ kind: 'change_passkey', passkey: changed }, ...challenge];
}

/** Uses a challenge. Returns `undefined` if it was used before or has expired. */
export function useChallenge(
	isUsed: boolean,
	{
		challengeHash: hash,
		challengeExpiresAtMs: expiresAtMs,
	}: {
		readonly challengeHash: string;
		readonly challengeExpiresAtMs: number;
	},
	nowMs: number,
): readonly PersonEffect[] | undefined {
	if (isUsed || nowMs >= expiresAtMs) return undefined;
	return [
		{ kind: 'use_challenge', hash, expiresAtMs },
		{ kind: 'forget_challenges', beforeMs: nowMs - CHALLENGE_MEMORY_MS },
	];
}

/**
 * Starts a session that is proven. Removes the person's expired sessions and, beyond `MAX_SESSIONS`, those that were
 * used longest ago. A session that is replaced passes on its id and its end.
 */
export function startSession(
	{ person, sessions }: Pick<PersonRecord, 'person' | 'sessions'>,
	{ id, hash, browser, address, isNewBrowser }: NewSession,
	nowMs: number,
	replaced?: Session,
): { readonly session: Session; readonly effects: readonly PersonEffect[] } {
	const session: Session = {
		id: replaced?.id ?? id,
		hash,
		person: person.id,
		browser,
		address,
		signedInAtMs: replaced?.signedInAtMs ?? nowMs,
		lastSeenAtMs: nowMs,
		provenAtMs: nowMs,
	};
	const kept = sessions
		.filter((each) => each !== replaced && isLiveSession(each, nowMs))
		.toSorted((a, b) => b.lastSeenAtMs - a.lastSeenAtMs)
		.slice(0, MAX_SESSIONS - 1);
	const ended = sessions.filter((each) => !kept.includes(each));
	return {
		session,
		effects: [
			...ended.map((each) => ({ kind: 'remove_session', hash: each.hash }) as const),
			{ kind: 'add_session', session },
			...(isNewBrowser && !replaced ? [newSignIn(session)] : []),
		],
	};
}

function newSignIn({ person, browser, address, signedInAtMs }: Session): PersonEffect {
	const told = { browser, address };
	return { kind: 'notify', notice: { kind: 'new_sign_in', to: { person }, atMs: signedInAtMs, told } };
}

export function decideFailure(
	{ record, tries }: PersonFacts,
	{ failed, key, limit }: RecordFailure,
	nowMs: number,
): PersonDecision<RecordFailure> {
	const decision = decideTry(tries[0], limit, nowMs);
	// A person who has not accepted the invitation yet has no factor that could be tried.
	const hasFactor = record && (record.person.passwordHash !== null || record.passkeys.length > 0);
	if (!hasFactor || !decision.allowed) return { outcome: DONE, effects: [] };
	return {
		outcome: DONE,
		effects: [
			{ kind: 'set_tries', tries: { key, forgivenAtMs: decision.forgivenAtMs } },
			{ kind: 'record_act', act: { ...failed, reseller: record.person.reseller, atMs: nowMs } },
		],
	};
}

export function decideSignOut({ record }: PersonFacts, { sessionHash }: SignOut): PersonDecision<SignOut> {
	const isKnown = record?.sessions.some(({ hash }) => hash === sessionHash);
	return { outcome: DONE, effects: isKnown ? [{ kind: 'remove_session', hash: sessionHash }] : [] };
}
