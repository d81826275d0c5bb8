/** What the rules look at: an account and what is on it. */
export interface AccountBalance {
	/** The reseller that the account belongs to; a reseller's own account belongs to itself. */
	readonly reseller: string;
	readonly username: string;
	/** USD cents: a safe integer, never below zero. */
	readonly balanceCents: number;
}

/** A reseller's own account, or the account of one of its sub-users, whole. */
export interface Account extends AccountBalance {
	/** The proxy credential, in the clear. It leaves the process only to the account's owner. */
	readonly proxyAuthkey: string;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
}

/** A new proxy auth key for an account. */
export type AuthKeyChange = Pick<Account, 'reseller' | 'username' | 'proxyAuthkey'>;

/** A reseller's own account is none of its sub-users. See docs/api.md 4.4. */
export function isSubUser(account: Pick<AccountBalance, 'reseller' | 'username'>): boolean {
	return account.username !== account.reseller;
}
