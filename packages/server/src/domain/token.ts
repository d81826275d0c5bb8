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
	/** Unix milliseconds from which on the token is refused; `null` for the current token. */
	readonly expiresAtMs: number | null;
}

export function isLiveToken(token: Token, nowMs: number): boolean {
	return token.expiresAtMs === null || nowMs < token.expiresAtMs;
}

/** Whether some process may still accept a token that a rotation or revocation retired. */
export function isRotationPending(tokens: readonly Token[], nowMs: number): boolean {
	return tokens.some((token) => token.expiresAtMs !== null && nowMs < token.expiresAtMs + TOKEN_CACHE_LIFE_MS);
}

/**
 * The tokens of a reseller once a new one has been issued: every earlier one expires at
 * `retireAtMs` or, where that was sooner, when it would have anyway. Those that no process can
 * believe in any longer are dropped.
 */
export function withNewToken(
	tokens: readonly Token[],
	{ hash, reseller }: Pick<Token, 'hash' | 'reseller'>,
	{ nowMs, retireAtMs }: { nowMs: number; retireAtMs: number },
): Token[] {
	const retired = tokens
		.map((token) => ({ ...token, expiresAtMs: Math.min(token.expiresAtMs ?? retireAtMs, retireAtMs) }))
		.filter((token) => nowMs < token.expiresAtMs + TOKEN_CACHE_LIFE_MS);
	return [...retired, { hash, reseller, expiresAtMs: null }];
}
