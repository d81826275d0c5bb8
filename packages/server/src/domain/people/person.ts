import type { Role } from '@bursar/contract/dashboard';

/**
 * A link is good for this long, in milliseconds.
 * @bound A link of a person, for one use: then it is refused.
 */
export const INVITATION_LIFE_MS = 72 * 3_600_000;
/**
 * The same for a link that claims the service. It is shorter, because no operator watches the service meanwhile.
 * @bound The link with which the first operator claims the service, for one use: then it is refused.
 */
export const CLAIM_LIFE_MS = 24 * 3_600_000;
/**
 * The same for a link that a person asked for without signing in: it waits in a mailbox that others may get into later.
 * @bound The link for a forgotten password, for one use: then it is refused.
 */
export const NEW_PASSWORD_LIFE_MS = 3_600_000;
/**
 * A session ends after this long without use, and at most this long after the sign-in, in milliseconds.
 * @bound A session that is not used: then it ends.
 */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** @bound A session after the sign-in: then it ends. */
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;
/** @bound A proof counts: then the person proves again. */
const PROOF_LIFE_MS = 5 * 60_000;
/** How often the last use of a session is written at most, in milliseconds. */
export const SESSION_USE_MS = 60_000;
/** @bound Sessions of a person: with one more, the session that was used longest ago ends. */
export const MAX_SESSIONS = 50;
/** @bound Recovery codes of a person: new codes replace all of them. */
export const RECOVERY_CODES = 10;
/** Each one-time code belongs to a step of this many milliseconds (RFC 6238). A code may be one step early or late. */
export const CODE_STEP_MS = 30_000;

/** A person who signs in on the dashboard. */
export interface Person {
	readonly id: string;
	/** Normalized. Unique on the platform. */
	readonly email: string;
	/** The reseller that the person works for; `null` for an operator. */
	readonly reseller: string | null;
	/** What the person may do there; `null` for an operator. */
	readonly role: Role | null;
	/** `null` until a link was used to set a password. */
	readonly passwordHash: string | null;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
	/** Since when the person cannot sign in, in Unix milliseconds. */
	readonly lockedAtMs: number | null;
}

/**
 * A link with which a person sets a password or, for the demo, signs in. A person has one at most. With `claim`, the
 * person who opens it becomes the first operator, and chooses the e-mail address too. There is one such link at most. With
 * `new_password`, a person who has a password replaces it: the link signs in nobody, and touches no second factor.
 */
export interface Invitation {
	/** SHA-256 of the link's secret, base64url. */
	readonly hash: string;
	/** With `claim`, the id that the new person will get. */
	readonly person: string;
	readonly purpose: 'set_password' | 'sign_in' | 'claim' | 'new_password';
	/** Unix milliseconds. */
	readonly expiresAtMs: number;
}

export interface Session {
	/** Names the session in lists and acts. No secret. */
	readonly id: string;
	/** SHA-256 of the cookie's secret, base64url. */
	readonly hash: string;
	readonly person: string;
	/** Like `Firefox on Windows`. */
	readonly browser: string;
	readonly address: string;
	/** All in Unix milliseconds. */
	readonly signedInAtMs: number;
	readonly lastSeenAtMs: number;
	/** When the person last proved who they are. */
	readonly provenAtMs: number | null;
}

/** A session, and whose money and tokens its person may change. */
export interface ActingSession extends Session {
	/** The reseller that the person works for; `null` for an operator. */
	readonly reseller: string | null;
	/** `null` for an operator. */
	readonly role: Role | null;
}

export interface Passkey {
	/** The credential id, base64url. Unique on the platform. */
	readonly id: string;
	readonly person: string;
	/** COSE, base64url. */
	readonly publicKey: string;
	readonly counter: number;
	readonly transports: readonly string[];
	readonly name: string;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
	readonly lastUsedAtMs: number | null;
}

/** The secret of a person's one-time codes (RFC 6238). */
export interface OneTimeCodes {
	readonly person: string;
	/** Base32. Sealed in the store. */
	readonly secret: string;
	/** The time step of the last code that was accepted. Earlier codes and this one are refused. Counts `CODE_STEP_MS`. */
	readonly lastStep: number;
}

/** Everything that a decision about one person looks at. */
export interface PersonRecord {
	readonly person: Person;
	readonly invitation: Invitation | undefined;
	readonly codes: OneTimeCodes | undefined;
	/** SHA-256 of the recovery codes that are left, base64url. */
	readonly recoveryCodes: readonly string[];
	readonly passkeys: readonly Passkey[];
	/** Expired ones too. */
	readonly sessions: readonly Session[];
}

/** Whether the session still counts. */
export function isLiveSession({ lastSeenAtMs, signedInAtMs }: Session, nowMs: number): boolean {
	// A session from the future began before the clock was set back. It must not live until that time comes again.
	return Math.abs(nowMs - lastSeenAtMs) < SESSION_IDLE_MS && Math.abs(nowMs - signedInAtMs) < SESSION_LIFE_MS;
}

/** Until when the session's proof counts, in Unix milliseconds; `null` if it has no fresh proof. */
export function provenUntilMs({ provenAtMs }: Session, nowMs: number): number | null {
	// A proof from the future was made before the clock was set back.
	if (provenAtMs === null || nowMs < provenAtMs || nowMs >= provenAtMs + PROOF_LIFE_MS) return null;
	return provenAtMs + PROOF_LIFE_MS;
}

/** Whether a password alone does not sign the person in. */
export function hasSecondFactor({ codes, passkeys }: Pick<PersonRecord, 'codes' | 'passkeys'>): boolean {
	return codes !== undefined || passkeys.length > 0;
}

/** Whether it is an operator without the second factor that every operator must have. */
export function lacksSecondFactor(record: Pick<PersonRecord, 'person' | 'codes' | 'passkeys'>): boolean {
	return record.person.reseller === null && !hasSecondFactor(record);
}
