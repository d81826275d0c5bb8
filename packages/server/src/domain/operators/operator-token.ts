import type { OperatorScope } from '@bursar/contract/scopes';

/** A bearer token of a program of the operator, as the store keeps it. The token itself is never stored. */
export interface OperatorToken {
	/** Its public id. */
	readonly id: string;
	/** SHA-256 of the whole token, base64url. */
	readonly hash: string;
	/** No two tokens share one. */
	readonly name: string;
	/** The last four characters of the token. */
	readonly tail: string;
	readonly scopes: readonly OperatorScope[];
	/** Unix milliseconds. */
	readonly madeAtMs: number;
	/** The e-mail address of the operator, or the user of the operating system who made it on the command line. */
	readonly madeBy: string;
	/** The token is refused from this time on, in Unix milliseconds. */
	readonly expiresAtMs: number;
}

/** What is recorded of the token that did something: the name, and by which tail to tell two of one name apart. */
export function recordedName({ name, tail }: Pick<OperatorToken, 'name' | 'tail'>): string {
	return `${name} ...${tail}`;
}
