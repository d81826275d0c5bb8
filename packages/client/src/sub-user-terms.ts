import type { Account, Confirmation } from './accounts.ts';
import type { FeeRange } from './errors.ts';

/** A suspended sub-user is `suspended`, expired or not. */
export type SubUserState = 'active' | 'suspended' | 'expired';

/** Why the proxies refuse a pair: the first reason that holds. */
export type UnusableReason = 'suspended' | 'expired' | 'exhausted' | 'limit_reached';

/** Whether the proxies accept the pair of a sub-user at this moment. */
export interface Usability {
	readonly isUsable: boolean;
	/**
	 * Why not; `undefined` if they accept it. `suspended`: the sub-user, or you. `exhausted`: nothing is left of its balance, or your
	 * debt is beyond the line. A newer service may have further reasons.
	 */
	readonly reason: UnusableReason | undefined;
}

/** How far a sub-user may use the proxy. `null`: no such limit. */
export interface SubUserLimits {
	/** Bytes of a UTC day, up and down together. */
	readonly dayBytes: number | null;
	/** Bytes of a UTC month. */
	readonly monthBytes: number | null;
	/** Bytes of all time. */
	readonly totalBytes: number | null;
	/** Connections that are open at once, over all proxy hosts. */
	readonly connections: number | null;
	/** The addresses and networks from which its pair is good: 1 to 32 of IPv4 and IPv6. */
	readonly allowedIps: readonly string[] | null;
	/** From this time on its pair is refused. It may be in the past. */
	readonly expiresAt: Date | null;
}

/** What a sub-user has from the beginning. */
export interface NewTerms {
	/** What it is given of your balance, in USD cents: an integer of at least 1. Absent: nothing. */
	readonly amountCents?: number | undefined;
	/** Those that are absent or `null` are no limits. */
	readonly limits?: Partial<SubUserLimits> | undefined;
	/** For people: one line of at most 200 characters. Absent: none. */
	readonly note?: string | undefined;
}

/** The result of `subUsers.createWith`. */
export interface CreationWith extends Confirmation {
	readonly subUser: Account;
	readonly limits: SubUserLimits;
	readonly note: string;
	/** What the call paid in fees. */
	readonly fee: FeeRange;
}

/** The result of `subUsers.retrieveDetails`. */
export interface SubUserDetails extends Usability {
	readonly username: string;
	readonly state: SubUserState;
	readonly limits: SubUserLimits;
	readonly used: UsedOfLimits;
	/** For people. Empty: no note. */
	readonly note: string;
	/** When it last used bandwidth; `undefined` if it never did. */
	readonly lastSeen: Date | undefined;
	/** When a proxy host last refused a client that named it; `undefined` if none did in the last 8 days. */
	readonly lastRefusal: ProxyRefusal | undefined;
	/** How many clients proxy hosts refused in the last 8 days, by reason. That of the last refusal comes first. */
	readonly refusals: readonly CountedRefusals[];
}

/** A proxy host refused a client that named the sub-user, or cut it off. */
export interface ProxyRefusal {
	readonly refusedAt: Date;
	/** The name of the proxy host. */
	readonly edge: string;
	/** Like `exhausted`, as `X-Bursar-Reason` of the proxy says it. */
	readonly reason: string;
	/** The /24 of IPv4 or the /48 of IPv6 from which the client came; `undefined` if it is not known. */
	readonly network: string | undefined;
}

export interface CountedRefusals {
	readonly reason: string;
	readonly count: number;
}

/** What a sub-user has used. Bytes are up and down together. */
export interface UsedBytes {
	/** In this UTC day. */
	readonly dayBytes: number;
	/** In this UTC month. */
	readonly monthBytes: number;
	readonly totalBytes: number;
}

/** How much of its limits a sub-user has used. */
export interface UsedOfLimits extends UsedBytes {
	/** Connections that proxy hosts lately reported as open; `undefined` without a limit of connections. */
	readonly connections: number | undefined;
}

/** The result of `subUsers.suspend` or `subUsers.resume`. */
export interface SetState extends Confirmation {
	readonly username: string;
	readonly state: SubUserState;
}

/** The result of `subUsers.setLimits`. */
export interface SetLimits extends Confirmation {
	readonly username: string;
	/** All limits that the sub-user has now. */
	readonly limits: SubUserLimits;
}

/** The result of `subUsers.setNote`. */
export interface SetNote extends Confirmation {
	readonly username: string;
	readonly note: string;
}

/** The result of `subUsers.delete`. */
export interface Deletion extends Confirmation {
	readonly username: string;
	/** The amount that went back to your own balance, in USD cents. */
	readonly returnedCents: number;
}

/** A sub-user of a list. */
export interface ListedSubUser extends Account, Usability {
	readonly state: SubUserState;
	readonly used: UsedBytes;
}

export type MovementKind =
	| 'top_up'
	| 'adjustment'
	| 'create_fee'
	| 'give'
	| 'take'
	| 'usage'
	| 'debt'
	| 'debt_payment'
	| 'debt_forgiven'
	| 'refund_debt';

/** A movement of money of the reseller or of one of its sub-users. */
export interface Movement {
	/** Counts your movements: each has the id of the previous one and 1. Those of an older service have gaps between. */
	readonly id: number;
	/**
	 * `top_up` and `take` add to the reseller's balance; `adjustment`, `create_fee`, `give` and `debt_payment` take from it;
	 * `usage` takes from the account that used bandwidth; `debt` and `refund_debt` add to what the reseller owes, `debt_payment`
	 * and `debt_forgiven` take from that. A newer service may have further kinds.
	 */
	readonly kind: MovementKind | (string & Record<never, never>);
	/**
	 * The sub-user; of a fee, the name that was asked for; of a debt, the account that used the bandwidth. `undefined` if there
	 * is none. It may be deleted by now.
	 */
	readonly username: string | undefined;
	/** USD cents, at least 1. */
	readonly amountCents: number;
	/** The reseller's balance afterwards, in USD cents; `undefined` if it was not changed. */
	readonly balanceCents: number | undefined;
	/** The sub-user's balance afterwards, in USD cents; `undefined` if it was not changed. */
	readonly subUserBalanceCents: number | undefined;
	readonly movedAt: Date;
	/** `X-Request-Id` of the answer to the request that moved it. */
	readonly requestId: string;
	/** The id of the change that moved it; `undefined` if it had none. */
	readonly changeId: string | undefined;
	/**
	 * Of a give or a take its reference; of a top-up or an adjustment, what the operator has written with it; of what a payment
	 * through a provider brings or takes back, its provider, object and number, like `stripe:cs_test_b1Qm:1`.
	 */
	readonly reference: string | undefined;
}
