/**
 * How long, in milliseconds, a server process may go on believing what it once read about a token.
 * A process that is cut off from the database refuses a retired token at the latest this long after
 * the token expired.
 */
export const TOKEN_CACHE_LIFE_MS = 30_000;

/** The bounds of the time that a previous token lives on after a rotation, in milliseconds. */
export const MAX_TOKEN_OVERLAP_MS = 240_000;
export const DEFAULT_TOKEN_OVERLAP_MS = 60_000;

/** A bearer token as the store knows it: by its hash only. */
export interface Token {
	/** SHA-256 of the whole token, base64url. */
	readonly hash: string;
	readonly reseller: string;
	/** The last four characters of the token, by which people tell tokens apart. */
	readonly tail: string;
	/** Unix milliseconds. */
	readonly madeAtMs: number;
	/** Who made it: `operator`, from the command line. */
	readonly madeBy: string;
	/** Unix milliseconds from which on the token is refused; `null` for the current token. */
	readonly expiresAtMs: number | null;
}

/** When a token was last used. */
export interface TokenUse {
	readonly hash: string;
	readonly reseller: string;
	/** Unix milliseconds. */
	readonly usedAtMs: number;
}

/**
 * Whether the token is accepted. A token on its way out lives in the longest overlap before its end only, so that
 * a clock that is set back further than that does not bring it back.
 */
export function isLiveToken({ expiresAtMs }: Token, nowMs: number): boolean {
	return expiresAtMs === null || (nowMs < expiresAtMs && nowMs >= expiresAtMs - MAX_TOKEN_OVERLAP_MS);
}

/** Whether some process may still accept a token that a rotation retired. */
export function isRotationPending(tokens: readonly Token[], nowMs: number): boolean {
	return tokens.some((token) => token.expiresAtMs !== null && nowMs < token.expiresAtMs + TOKEN_CACHE_LIFE_MS);
}
