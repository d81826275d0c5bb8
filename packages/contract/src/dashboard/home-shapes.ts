import { UNUSABLE_REASONS } from '../sub-user-terms.ts';

/** The state of the service now, for operators. */
export interface ServiceHealth {
	/** When the store was made. */
	readonly store_made: string;
	readonly edges: {
		/** How many have a key. */
		readonly count: number;
		readonly silent_count: number;
		/** Edges that were silent for ten minutes: the first ten, the longest silent one first. */
		readonly silent: readonly SilentEdge[];
	};
	/** One for each of the last 30 UTC days, the oldest first. */
	readonly reports: readonly ReportsDay[];
	readonly ledger: {
		readonly is_running: boolean;
		/** The last verification that ended. `problems` is `null` if it could not be finished. */
		readonly last: { readonly ended: string; readonly problems: number | null } | null;
	};
	/** Payments through providers; `null` if the service takes none, and none needs to be looked at. */
	readonly payments: {
		/** Of the last 30 days, `PAYMENTS_COUNTED` at most: payments that do not fit. */
		readonly findings: number;
		/** Payments whose reads fail again and again, because the provider cannot be asked; `PAYMENTS_COUNTED` at most. */
		readonly failing: number;
	} | null;
	/** Whether `bursar backup` makes the backups of this store, and when it last did; `null` if it never has. */
	readonly backup: { readonly is_ours: true; readonly last: string | null } | { readonly is_ours: false };
}

interface SilentEdge {
	readonly name: string;
	readonly last_seen: string;
}

/** The usage reports that arrived on a UTC day. */
export interface ReportsDay {
	readonly date: string;
	/** Reports that were counted, and repeats of counted ones. */
	readonly accepted: number;
	readonly refused: number;
}

/** The money of all resellers together, in USD cents. At most 5 minutes old. */
export interface PlatformMoney {
	readonly as_of: string;
	/** The balances of all accounts. */
	readonly held: number;
	/** From the start of the previous month in UTC, and 30 days at least, the oldest first. Today is the last one. */
	readonly days: readonly MoneyDay[];
	readonly low: {
		readonly count: number;
		/** The first ten: those whose bandwidth costs most first. */
		readonly resellers: readonly LowReseller[];
	};
	/** Sub-users whom the proxies refuse, as their resellers were told. */
	readonly refused: {
		readonly count: number;
		readonly by_reason: RefusedByReason;
		/** The ten resellers that have most of them. */
		readonly resellers: readonly RefusedOfReseller[];
	};
}

/** Why the proxies refuse a sub-user: a reason of its own, or one for all sub-users of its reseller. */
export const REFUSED_REASONS = [...UNUSABLE_REASONS, 'reseller_suspended', 'reseller_in_debt'] as const;
/** `exhausted`: also of those that have never had a balance. */
export type RefusedReason = (typeof REFUSED_REASONS)[number];
/** A reason that nobody has is missing. */
export type RefusedByReason = { readonly [Reason in RefusedReason]?: number };

export interface RefusedOfReseller {
	readonly reseller: string;
	readonly count: number;
	readonly by_reason: RefusedByReason;
}

/** A UTC day. */
export interface MoneyDay {
	readonly date: string;
	/** The balances of all accounts in the ledger, at the end of the day or now. */
	readonly held: number;
	readonly top_ups: number;
	/** What operators took back. */
	readonly adjustments: number;
	readonly fees: number;
	/** The cost of the bandwidth that was used on this day. */
	readonly bandwidth: number;
}

/** A reseller whose money is nearly used up. */
export interface LowReseller {
	readonly reseller: string;
	/**
	 * `out`: its own balance is used up. `below`: its own balance is below the bound at which it wants a warning. `short`:
	 * the balances of all its accounts last for less than a week.
	 */
	readonly reason: 'out' | 'below' | 'short';
	/** The balance of the reseller itself. */
	readonly balance: number;
	readonly low_balance: number | null;
	/** The balances of all its accounts. */
	readonly held: number;
	/** For how many days that lasts, at the rate of the last seven; `null` if nothing is charged. */
	readonly days_left: number | null;
}
