/**
 * How long a server process may remember a token, in milliseconds. So a process that is cut off from the database
 * refuses a retired token at most this long after the token expired.
 * @bound A token is remembered in a process: then the store is asked again. A change of tokens is noticed within a
 * second if the store can be asked.
 */
export const TOKEN_CACHE_LIFE_MS = 30_000;

/** @bound The previous token stays valid after a rotation: then it is refused. */
export const MAX_TOKEN_OVERLAP_MS = 240_000;
export const DEFAULT_TOKEN_OVERLAP_MS = 60_000;

/** `madeBy` of tokens that an operator makes. Resellers do not learn the e-mail addresses of operators. */
export const MADE_BY_OPERATOR = 'operator';

/** A bearer token as the store keeps it. The token itself is never stored. */
export interface Token {
	/** SHA-256 of the whole token, base64url. */
	readonly hash: string;
	readonly reseller: string;
	/** The last four characters of the token, by which people tell tokens apart. */
	readonly tail: string;
	/** Unix milliseconds. */
	readonly madeAtMs: number;
	/** Who made it: the e-mail address of the reseller's person, or `MADE_BY_OPERATOR`. */
	readonly madeBy: string;
	/** The token is refused from this time on, in Unix milliseconds; `null` for the current token. */
	readonly expiresAtMs: number | null;
}

/**
 * Whether the token is accepted. A retired token is accepted only within the longest overlap before its end, so that a
 * clock that is set back further does not make it valid again.
 */
export function isLiveToken({ expiresAtMs }: Token, nowMs: number): boolean {
	return expiresAtMs === null || (nowMs < expiresAtMs && nowMs >= expiresAtMs - MAX_TOKEN_OVERLAP_MS);
}

/** Whether some process may still accept a token that a rotation retired. */
export function isRotationPending(tokens: readonly Token[], nowMs: number): boolean {
	return tokens.some((token) => token.expiresAtMs !== null && nowMs < token.expiresAtMs + TOKEN_CACHE_LIFE_MS);
}
