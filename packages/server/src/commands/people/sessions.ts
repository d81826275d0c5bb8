import { isLiveSession, MAX_SESSIONS, type PersonRecord, type Session } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';

/** What a new session is made of. The rules add the times. */
export interface NewSession extends Pick<Session, 'id' | 'hash' | 'browser' | 'address'> {
	/** Whether the person has not signed in in this browser since the last change of the password. Then there is mail. */
	readonly isNewBrowser?: boolean | undefined;
}

/** The session that began. */
export interface SignedIn {
	readonly ok: true;
	readonly session: Session;
}

/**
 * How long a challenge that was used is remembered after its end, in case the clock is set back, in milliseconds.
 * @bound A used challenge is remembered after its end: then it is forgotten.
 */
const CHALLENGE_MEMORY_MS = 24 * 3_600_000;

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
	const facts = { browser, address };
	return { kind: 'notify', notice: { kind: 'new_sign_in', to: { person }, atMs: signedInAtMs, facts } };
}
