/** What is read about prices, and about what is due. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MeteringReads {
	/**
	 * A page of the accounts that owe for bandwidth, and whose usage was settled last before a time, by reseller and
	 * username. Heavy.
	 */
	listDueAccounts(query: DueAccountsQuery): Promise<readonly DueAccount[]>;
	/** Those of these accounts that owe for bandwidth, by reseller and username. */
	findDueAccounts(usernames: readonly string[]): Promise<readonly DueAccount[]>;
	/** What a GB costs the accounts of the reseller now, in micro-dollars; `null`: nothing. */
	findPrice(reseller: string): Promise<number | null>;
	/** The prices that a reseller has had, the newest first. */
	listPrices(reseller: string, limit: number): Promise<readonly StoredPrice[]>;
}

export interface DueAccountsQuery {
	/** Unix milliseconds. For an account that was never settled, the time of its first bytes counts. */
	readonly dueSinceBeforeMs: number;
	/** The last account of the previous page. */
	readonly after?: DueAccount | undefined;
	readonly limit: number;
}

export interface DueAccount {
	readonly reseller: string;
	readonly username: string;
}

export interface StoredPrice {
	/** 1, 2, 3... */
	readonly number: number;
	/** `null`: bandwidth costs nothing. */
	readonly microUsdPerGb: number | null;
	/** Unix milliseconds. */
	readonly setAtMs: number;
	readonly requestId: string;
	/** The operator on the dashboard who set it, and from where. */
	readonly email: string | null;
	readonly address: string | null;
	/** The user of the operating system who set it on the command line. */
	readonly systemUser: string | null;
}
