import { MAX_NAMED_TOKENS, MAX_TOKEN_DAYS } from '@bursar/contract/limits';
import { isResellerScope, isTokenName, type ResellerScope } from '@bursar/contract/scopes';

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

const DAY_MS = 86_400_000;

/** `madeBy` of tokens that an operator makes. Resellers do not learn the e-mail addresses of operators. */
export const MADE_BY_OPERATOR = 'operator';
/** `madeBy` of further tokens that a program makes with the one token. */
export const MADE_BY_PROGRAM = 'api';

/** A bearer token as the store keeps it. The token itself is never stored. */
export interface Token {
	/** SHA-256 of the whole token, base64url. */
	readonly hash: string;
	readonly reseller: string;
	/** The last four characters of the token, by which people tell tokens apart. */
	readonly tail: string;
	/** Unix milliseconds. */
	readonly madeAtMs: number;
	/** Who made it: the e-mail address of the reseller's person, `MADE_BY_OPERATOR`, or `MADE_BY_PROGRAM`. */
	readonly madeBy: string;
	/** The token is refused from this time on, in Unix milliseconds; `null` for the current one token. */
	readonly expiresAtMs: number | null;
	/** What a further token is; `null` for the one token, and for one that a rotation retired. */
	readonly further: Further | null;
}

/** What a further token is called, and what it may do. */
interface Further {
	/** Its public id. */
	readonly id: string;
	readonly name: string;
	readonly scopes: readonly ResellerScope[];
	/** From where it may be used: addresses and networks. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
}

export interface FurtherToken extends Token {
	readonly expiresAtMs: number;
	readonly further: Further;
}

export function isFurther<Of extends Token>(token: Of): token is Of & FurtherToken {
	return token.further !== null;
}

/**
 * Whether the token is accepted. A retired token is accepted only within the longest overlap before its end, so that a
 * clock that is set back further does not make it valid again.
 */
export function isLiveToken({ expiresAtMs, further }: Pick<Token, 'expiresAtMs' | 'further'>, nowMs: number): boolean {
	if (expiresAtMs === null) return true;
	return nowMs < expiresAtMs && (further !== null || nowMs >= expiresAtMs - MAX_TOKEN_OVERLAP_MS);
}

/** Whether a rotation has replaced the token. */
export function isRetiredToken({ expiresAtMs, further }: Pick<Token, 'expiresAtMs' | 'further'>): boolean {
	return expiresAtMs !== null && further === null;
}

/** Whether some process may still accept a token that a rotation retired. */
export function isRotationPending(tokens: readonly Token[], nowMs: number): boolean {
	return tokens.filter(isRetiredToken).some(({ expiresAtMs }) => nowMs < Number(expiresAtMs) + TOKEN_CACHE_LIFE_MS);
}

/** What every token with a name has. */
export interface NewNamedToken {
	readonly name: string;
	readonly scopes: readonly string[];
	/** The token is refused from this time on, in Unix milliseconds. */
	readonly endsAtMs: number;
}

/** Whether a token may be made so: it has a name, one or more of the scopes, each once, and an end that is not too far. */
export function isNamedToken(
	{ name, scopes, endsAtMs }: NewNamedToken,
	isScope: (text: string) => boolean,
	nowMs: number,
): boolean {
	const areScopes = scopes.length > 0 && scopes.every(isScope) && new Set(scopes).size === scopes.length;
	const isEnd = Number.isSafeInteger(endsAtMs) && endsAtMs > nowMs && endsAtMs <= nowMs + MAX_TOKEN_DAYS * DAY_MS;
	return isTokenName(name) && areScopes && isEnd;
}

/** Why the reseller cannot have this further token, besides those that it has. */
export function refusalOfFurther(
	wanted: NewNamedToken,
	others: readonly FurtherToken[],
	nowMs: number,
): 'invalid_token' | 'token_exists' | 'too_many_tokens' | undefined {
	if (!isNamedToken(wanted, isResellerScope, nowMs)) return 'invalid_token';
	if (others.some(({ further }) => further.name === wanted.name)) return 'token_exists';
	return others.length >= MAX_NAMED_TOKENS ? 'too_many_tokens' : undefined;
}
