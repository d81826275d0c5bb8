import type { ErrorCode } from '@bursar/contract/errors';
import type { ChangeOperation, FeeRange } from './errors.ts';

/** An account: a sub-user, or the reseller itself. */
export interface Account {
	readonly username: string;
	/** Balance in USD cents: 500 means 5.00 USD. */
	readonly balanceCents: number;
	/** The password that belongs to the username at the proxy. A secret. */
	readonly proxyAuthkey: string;
	readonly dateCreated: Date;
}

/** What the reseller has and owes. */
export interface AccountDetails {
	/** USD cents. */
	readonly balanceCents: number;
	/** What the reseller owes for bandwidth that no balance covered, in USD cents. Its balance pays it first. */
	readonly debtCents: number;
	/** Beyond this debt, in USD cents, the proxies refuse all pairs of the reseller while there is a price. */
	readonly lineCents: number;
	/** What a GB (10^9 bytes, up and down together) costs, in millionths of a US dollar; `undefined`: nothing. */
	readonly priceMicroUsd: number | undefined;
	/** Whether the proxies accept the reseller's own pair. */
	readonly isUsable: boolean;
	/** Why they do not: `suspended` or `exhausted`. A newer service may have further reasons. */
	readonly reason: string | undefined;
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
	/** `answer`: the service's answer arrived. `look`: the answer was lost, and a look found the change. */
	readonly confirmedBy: 'answer' | 'look';
	/** `X-Request-Id` of the answer. The service's ledger stores it with the transfer. */
	readonly requestId: string | undefined;
}

/** The result of `subUsers.create`. */
export interface Creation extends Confirmation {
	readonly subUser: Account;
	/** Whether this call created it; `false` if the reseller owned it already. */
	readonly created: boolean;
	/** What the call paid in fees. */
	readonly fee: FeeRange;
}

/** The result of `subUsers.give` or `subUsers.take`. */
export interface Transfer extends Confirmation {
	readonly username: string;
	/** The sub-user's balance after the transfer, in USD cents. */
	readonly balanceCents: number;
}

/** The result of `subUsers.resetAuthKey`. */
export interface ReplacedAuthKey extends Confirmation {
	readonly username: string;
	/** The key that is valid now; the previous one is retired. */
	readonly proxyAuthkey: string;
}

/** What a change did, as the service recorded it with the change's id. */
export interface RecordedChange {
	readonly changeId: string;
	readonly operation: ChangeOperation;
	/** `undefined` for a create with an invalid username. */
	readonly username: string | undefined;
	/** What was moved, in USD cents. For a create, its fee; for a create_with, what it gave; for a delete, what went back; for a top-up, what was asked for; otherwise `undefined`. */
	readonly amountCents: number | undefined;
	/** The sub-user's balance after a create, create_with, give or take, in USD cents; otherwise, or if it failed, `undefined`. */
	readonly balanceCents: number | undefined;
	/** Why a create or create_with failed that cost its fee. */
	readonly error: ErrorCode | undefined;
	readonly doneAt: Date;
	/** `X-Request-Id` of the answer to the change. */
	readonly requestId: string;
}
