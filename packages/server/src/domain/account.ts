/** An account and its balance: all that the rules look at. */
export interface AccountBalance {
	/** The reseller that the account belongs to; a reseller's own account belongs to itself. */
	readonly reseller: string;
	readonly username: string;
	/** USD cents: a safe integer, never below zero. */
	readonly balanceCents: number;
}

/** An account: a reseller's own, or one of its sub-users'. */
export interface Account extends AccountBalance {
	/** The proxy credential, in the clear. It leaves the process only to the account's owner. */
	readonly proxyAuthkey: string;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
}

/** A new proxy auth key for an account. */
export type AuthKeyChange = Pick<Account, 'reseller' | 'username' | 'proxyAuthkey'>;

/** The end of a sub-user. Its name is never given again, and its past stays. */
export interface Deletion {
	readonly reseller: string;
	readonly username: string;
	/** Unix milliseconds. */
	readonly deletedAtMs: number;
	readonly requestId: string;
}

/** A reseller's own account is not one of its sub-users (docs/api.md 4.4). */
export function isSubUser(account: Pick<AccountBalance, 'reseller' | 'username'>): boolean {
	return account.username !== account.reseller;
}
