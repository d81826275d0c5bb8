import type { Confirmation } from './accounts.ts';

/**
 * What a further token may do: `read` what tells no key; `sub_users`, which tells keys and pays fees; `money`, which gives,
 * takes and pays into your balance. A newer service may have further scopes.
 */
export type TokenScope = 'read' | 'sub_users' | 'money';

/** What a further token is, without the token itself. */
export interface TokenDetails {
	readonly id: string;
	readonly name: string;
	readonly scopes: readonly TokenScope[];
	/** From where it may be used: addresses and networks. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
	/** The last four characters of the token. */
	readonly tail: string;
	/** The e-mail address of the person who made it, or `api` for a program. */
	readonly madeBy: string;
	/** From when on it is refused. */
	readonly expiresAt: Date;
	/** About 90 seconds exact; `undefined` if it never was used. */
	readonly lastUsed: Date | undefined;
	readonly dateCreated: Date;
}

/** What a new token needs. */
export interface NewToken {
	/** 1 to 40 letters, digits, spaces, periods, underscores and hyphens. No two tokens share one. */
	readonly name: string;
	readonly scopes: readonly TokenScope[];
	/** At most 366 days ahead. */
	readonly expiresAt: Date;
	/** Up to 32 addresses and networks. Default, or `null`: from anywhere. */
	readonly allowedIps?: readonly string[] | null;
}

/** The result of `tokens.create`. */
export interface TokenCreation extends Confirmation {
	/** The token itself. `undefined` if the answer was lost: end it with `tokens.end`, and make another one. */
	readonly token: string | undefined;
	readonly details: TokenDetails;
}

/** The result of `tokens.end`. */
export interface EndedToken extends Confirmation {
	readonly id: string;
}
