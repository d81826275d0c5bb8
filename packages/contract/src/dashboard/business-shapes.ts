import type { AccountRefusal } from '../account-refusals.ts';
import type { PairState } from '../sub-user-terms.ts';
import type { SubUserLimits } from '../terms-schemas.ts';

/** What a reseller sees of its business. Amounts are USD cents, bytes are those that clients sent (up) and got (down). */
export interface Overview {
	readonly reseller: string;
	readonly balance: number;
	/** Below this balance the page warns; `null`: never. */
	readonly low_balance: number | null;
	readonly price: PricePerGb;
	/** What it owes for bandwidth that no balance covered, and the debt beyond which its pairs are refused. USD cents. */
	readonly debt: number;
	readonly debt_line: number;
	/** Of the reseller's own pair. */
	readonly pair: PairState;
}

/**
 * What a GB (10^9 bytes, up and down together) costs the accounts of a reseller, in micro-dollars. `null`: bandwidth costs
 * nothing, and balances do not limit it.
 */
export type PricePerGb = number | null;

export interface Bound {
	readonly low_balance: number | null;
}

export interface Suspension {
	/** `null`: it is not suspended. */
	readonly since: string | null;
}

/** The balances of a metered reseller. At most 5 minutes old. */
export interface Metering {
	readonly as_of: string;
	/** The balance of the reseller itself. */
	readonly own: Spending;
	/** The balances of all sub-users together. */
	readonly sub_users: Spending;
	/** The ten sub-users that run out next at their rate, the first one first. */
	readonly running_out: readonly (Spending & { readonly username: string })[];
	/** How many sub-users have no balance, and the ten of them that used most in the week. */
	readonly ran_out_count: number;
	readonly ran_out: readonly { readonly username: string; readonly week_cost: number }[];
}

/** What is left and what was spent, in USD cents. */
export interface Spending {
	readonly balance: number;
	/** What the bandwidth of the last seven UTC days costs, today included. */
	readonly week_cost: number;
	/** For how many days the balance lasts at that rate; `null` if nothing was used. */
	readonly days_left: number | null;
}

/** The order of sub-users. With a minus, the largest or newest first. */
export type SubUserOrder =
	| 'name'
	| '-name'
	| 'balance'
	| '-balance'
	| 'created'
	| '-created'
	/** Of the last 30 UTC days, up and down together. */
	| 'bandwidth'
	| '-bandwidth';

export interface SubUserPage {
	readonly sub_users: readonly ListedSubUser[];
	/** For the next page; `null` if this is the last one. */
	readonly next: string | null;
	/** For the page before it; `null` if this is the first one. */
	readonly previous: string | null;
	readonly price: PricePerGb;
}

export interface ListedSubUser {
	readonly username: string;
	readonly balance: number;
	readonly state: PairState;
	/** When it opens again by itself, because the limit that is reached is one of a day or a month; otherwise `null`. */
	readonly opens: string | null;
	/** Bytes of the last 30 UTC days. */
	readonly up: number;
	readonly down: number;
	readonly used: UsedBytes;
	readonly created: string;
	/** Empty if there is none, and for operators. */
	readonly note: string;
}

/**
 * Whether an account of the reseller has this name, or a deleted sub-user of it; `null` if neither. The answer tells
 * nothing about the names of others.
 */
export interface OwnName {
	readonly own: 'taken' | 'deleted' | null;
}

/** What of some names is known before they are changed. The answer tells nothing about the names of others. */
export interface KnownNames {
	readonly sub_users: readonly KnownName[];
	/** Names that are no sub-user and cannot be one: those of deleted sub-users, and that of the reseller. */
	readonly used: readonly string[];
}

export interface KnownName {
	readonly username: string;
	/** USD cents. */
	readonly balance: number;
	readonly state: PairState;
}

export interface MatchingNames {
	/** In the order of the alphabet, `MOST_AT_ONCE` at most. */
	readonly usernames: readonly string[];
	/** Whether there are more. */
	readonly has_more: boolean;
}

/** The state of a pair that a list is filtered by. `refused`: any in which the proxies refuse it. */
export type WantedState = PairState | 'refused';

/** How many sub-users are in each state. */
export type SubUserStates = Readonly<Record<PairState, number>>;

export interface Count {
	readonly count: number;
	/** How many of them come before the row that the query names; 0 if it names none. */
	readonly before: number;
}

export interface SubUserDetails {
	readonly username: string;
	readonly balance: number;
	readonly created: string;
	/** The balance of the reseller itself. */
	readonly reseller_balance: number;
	readonly price: PricePerGb;
	readonly state: PairState;
	/** When it opens again by itself, because the limit that is reached is one of a day or a month; otherwise `null`. */
	readonly opens: string | null;
	readonly limits: SubUserLimits;
	readonly used: UsedLimits;
	/** From where it signs in without a password, and whether the operator allows that. */
	readonly sign_in_ips: readonly string[];
	readonly sign_in_by_address: boolean;
	/** For the reseller's people; empty if there is none. */
	readonly note: string;
	/** When it last used bandwidth; `null` if it never did. */
	readonly last_seen: string | null;
	/** What proxies refused in the last 8 days. The reason of the last refusal comes first. */
	readonly refusals: readonly RefusalsForReason[];
}

/** Clients that named the account and were refused, or cut off. */
export interface RefusalsForReason {
	readonly reason: AccountRefusal;
	readonly count: number;
	/** The last one: when, at which edge, and its /24 or /48; `null` if that is not known. */
	readonly at: string;
	readonly edge: string;
	readonly network: string | null;
}

/** Bytes of this UTC day, this UTC month and all time, up and down together. */
interface UsedBytes {
	readonly day_bytes: number;
	readonly month_bytes: number;
	readonly total_bytes: number;
}

/** How much of the limits is used. */
export interface UsedLimits extends UsedBytes {
	/** Open connections, as proxy hosts lately reported; `null` without a limit of connections. */
	readonly connections: number | null;
}

/** A sub-user that was just deleted. */
export interface EndedSubUser {
	readonly username: string;
	/** The amount that went back to the reseller, in USD cents. */
	readonly returned: number;
}

/** A sub-user that was deleted some time ago. Its name is never given again. */
export interface DeletedSubUser {
	readonly username: string;
	readonly created: string;
	readonly deleted: string;
}

export interface Gift {
	readonly username: string;
	/** USD cents, at least 1. */
	readonly amount: number;
	/** At most `MAX_NOTE_CHARACTERS` in one line, for the reseller's people. Absent or empty: no note. */
	readonly note?: string;
	/** What it is for, like an order: `isMovementReference` says what it may be. Absent: none. */
	readonly reference?: string;
}

/** What a new sub-user has. */
export interface NewTerms {
	/** What it is given of the reseller's balance, in USD cents, at least 1. Absent: nothing. */
	readonly amount?: number;
	/** Those that are absent or `null` are no limits. */
	readonly limits?: Partial<SubUserLimits>;
	/** At most 200 characters. Absent: none. */
	readonly note?: string;
	/** What the amount is for: `isMovementReference` says what it may be. Absent: none. */
	readonly reference?: string;
}

/** A username and a password for the proxy. */
export interface NewPair {
	readonly username: string;
	readonly proxy_authkey: string;
	/** The first address of the proxies, like `http://proxy.example:3128`; `null` if the operator has set none. */
	readonly proxy_url: string | null;
}

/** How programs reach the proxies, as the operator has set it. */
export interface ProxyAccess {
	/** Like `http://proxy.example:3128`, without credentials: `readProxyUrl` reads each. */
	readonly proxy_urls: readonly string[];
	readonly options: readonly OfferedOption[];
}

/** An option that clients can put behind the `_` of the password. */
export interface OfferedOption {
	readonly name: string;
	/** `null`: any value that an option can have. */
	readonly values: readonly string[] | null;
}
