import type { Token } from '../../domain/token.ts';
import type { AccountCommand } from '../command.ts';

/** What the store keeps of a new token, and who makes it. */
export interface TokenMaking {
	readonly tokenHash: string;
	/** The last four characters of the token. */
	readonly tokenTail: string;
	/** The e-mail address of the reseller's person, or `MADE_BY_OPERATOR`. */
	readonly madeBy: string;
}

/** What replaced the tokens of a reseller. */
export interface Replaced {
	readonly ok: true;
	/** Every earlier token is refused from this time on, in Unix milliseconds. */
	readonly previousExpiresAtMs: number;
}

/** The token that a command makes. */
export function newToken(command: Pick<AccountCommand, 'reseller'> & TokenMaking, nowMs: number): Token {
	const { reseller, tokenHash, tokenTail, madeBy } = command;
	return { hash: tokenHash, reseller, tail: tokenTail, madeAtMs: nowMs, madeBy, expiresAtMs: null, further: null };
}
