import type { OperatorScope, ResellerScope } from '../scopes.ts';

/** A token with a name. Times are ISO 8601 in UTC. */
interface NamedToken {
	readonly name: string;
	/** The last four characters of the token. */
	readonly tail: string;
	readonly made: string;
	/** Who made it: an e-mail address, a user of the operating system, or `api` for a program. */
	readonly made_by: string;
	/** From when on it is refused. */
	readonly expires: string;
	/** Up to about 90 seconds late; `null` if never. */
	readonly last_used: string | null;
}

/** A further token of a reseller. */
export interface ListedFurtherToken extends NamedToken {
	readonly id: string;
	readonly scopes: readonly ResellerScope[];
	/** `null`: from anywhere. */
	readonly allowed_ips: readonly string[] | null;
}

/** Further tokens by name. */
export interface FurtherTokenList {
	readonly tokens: readonly ListedFurtherToken[];
}

/** A token of a program of the operator. */
export interface ListedOperatorToken extends NamedToken {
	readonly scopes: readonly OperatorScope[];
}

/** Tokens of programs of the operator, by name, and where their API is; `null` if it is off. */
export interface OperatorTokenList {
	readonly tokens: readonly ListedOperatorToken[];
	readonly api_url: string | null;
}

/** The answer is the only place where the token ever stands in the clear. */
export interface NewNamedToken {
	readonly token: string;
}
