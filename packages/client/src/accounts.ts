import type { FeeRange } from './errors.ts';

/** An account: a sub-user or, from `myInfo`, the reseller itself. */
export interface Account {
	readonly username: string;
	/** Balance in USD cents: 500 means 5.00 USD. */
	readonly balanceCents: number;
	/** The proxy credential that goes with the username. A secret of the account. */
	readonly proxyAuthkey: string;
	readonly dateCreated: Date;
}

/** The bandwidth of one sub-user on one UTC day. */
export interface DailyUsage {
	/** Start of the UTC day. */
	readonly day: Date;
	readonly bytesUp: number;
	readonly bytesDown: number;
}

/** How the client knows that a change took effect. */
export interface Confirmation {
	/** `answer`: the service's answer arrived. `look`: it was lost, and looking found the change. */
	readonly confirmedBy: 'answer' | 'look';
	/** `X-Request-Id` of the answer: the service's ledger has it beside what the change moved. */
	readonly requestId: string | undefined;
}

/** What a `createSubUser` led to. */
export interface Creation extends Confirmation {
	readonly subUser: Account;
	/** Whether this call made it; `false` where the reseller owned it already. */
	readonly created: boolean;
	/** What the call paid. */
	readonly fee: FeeRange;
}

/** What a `giveBalance` or `takeBalance` led to. */
export interface Transfer extends Confirmation {
	readonly username: string;
	/** The sub-user's balance after it, in USD cents. */
	readonly balanceCents: number;
}

/** What a `resetAuthKey` led to. */
export interface ReplacedAuthKey extends Confirmation {
	readonly username: string;
	/** The key that is valid now; the previous one is retired. */
	readonly proxyAuthkey: string;
}
