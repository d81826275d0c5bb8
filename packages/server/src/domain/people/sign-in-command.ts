import type { FailedTry } from './act.ts';
import type { Session } from './person.ts';
import type { TryLimit } from './tries.ts';

/** What signs people in and out. It is no change of a session that is live already, so only its rules record an act. */
export type SignInCommand = CountTry | ReturnTry | AcceptInvitation | Claim | SignIn | RecordFailure | SignOut;

/** Counts a try for each key, before its password is looked at. If one of them is refused, none is counted. */
export interface CountTry {
	readonly kind: 'count_try';
	readonly tries: readonly { readonly key: string; readonly limit: TryLimit }[];
}

/**
 * Gives back a try that was counted and then could not be made. If the process dies in between, it has counted: the other
 * way round, tries could be had for nothing.
 */
export interface ReturnTry {
	readonly kind: 'return_try';
	readonly key: string;
	readonly limit: TryLimit;
}

/** What a new session is made of. The rules add the times. */
export interface NewSession extends Pick<Session, 'id' | 'hash' | 'browser' | 'address'> {
	/** Whether the person has not signed in in this browser since the last change of the password. Then there is mail. */
	readonly isNewBrowser?: boolean | undefined;
}

/** What is common to the uses of links. */
interface LinkUse {
	readonly linkHash: string;
	readonly session: NewSession;
	readonly actId: string;
	readonly requestId: string;
}

export interface AcceptInvitation extends LinkUse {
	readonly kind: 'accept_invitation';
	/** Absent if the link only signs in. */
	readonly passwordHash?: string | undefined;
}

/** Uses the link of `MakeClaim`: the person becomes the first operator, and is signed in. */
export interface Claim extends LinkUse {
	readonly kind: 'claim';
	readonly email: string;
	readonly passwordHash: string;
}

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

/** Starts a session. For a proof, replaces the session that asks: it keeps its id and its end. */
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

/** Records a try that failed as an act of the person, unless the limit is reached: others decide how often they try. */
export interface RecordFailure {
	readonly kind: 'record_failure';
	readonly failed: FailedTry;
	readonly limit: TryLimit;
	/** The count of what is recorded. */
	readonly key: string;
}

export interface SignOut {
	readonly kind: 'sign_out';
	readonly person: string;
	readonly sessionHash: string;
}
