/**
 * The last 24 hours; the last 7, 30 or 90 UTC days with today; or UTC days like `2026-11-01..2026-11-20`, both included,
 * of the last 90.
 */
export type BandwidthRange = LastRange | `${string}..${string}`;

export const LAST_RANGES = ['24h', '7d', '30d', '90d'] as const;
export type LastRange = (typeof LAST_RANGES)[number];

export interface BandwidthTime {
	readonly range: BandwidthRange;
	/** The last 24 hours are always hours. Days can be shown by hour if they are among the last 7. Default: by day. */
	readonly unit?: 'hour' | 'day';
}

/** The account, edge or reseller whose bandwidth it is. At most one is given. */
export interface BandwidthFilter {
	/** The bandwidth that this sub-user used. */
	readonly username?: string;
	/** The bandwidth that this edge reported. */
	readonly edge?: string;
}

/** The parts into which the bandwidth is divided. */
export type BandwidthDivision = 'sub_user' | 'edge' | 'reseller';

/** With a division, it is at most 5 minutes old. */
export interface Bandwidth {
	readonly as_of: string;
	readonly unit: 'hour' | 'day';
	/** One for each hour or UTC day, the oldest first; those without usage are zero. */
	readonly spans: readonly BandwidthSpan[];
	/** Whether the last span is not over yet. */
	readonly goes_on: boolean;
	/** The same number of spans, just before; `null` if they are not known any more, or not yet. */
	readonly before: readonly BandwidthBytes[] | null;
	/** `null` if nothing is known of the time before. */
	readonly comparison: BandwidthComparison | null;
	/** Those that used most, the largest first; empty without a division. */
	readonly parts: readonly BandwidthPart[];
	/** The last 50 corrections of these days, the newest first. Days have them; hours and edges do not. */
	readonly corrections: readonly BandwidthCorrection[];
	/** Hours and edges are known from this time on; `null`: from the first report on. */
	readonly hours_since: string | null;
}

export interface BandwidthBytes {
	readonly up: number;
	readonly down: number;
}

export interface BandwidthSpan extends BandwidthBytes {
	/** The start of the hour or of the UTC day. */
	readonly at: string;
	/** What a day costs, in whole USD cents: what is below a cent goes on to the next day. `null` for hours and edges. */
	readonly cost: number | null;
}

/**
 * Up and down together, without the hour or day that is not over yet. The time before is compared without that hour or day
 * too.
 */
interface BandwidthComparison {
	readonly now: number;
	readonly before: number;
}

export interface BandwidthPart extends BandwidthBytes {
	/** The sub-user, the edge or the reseller. */
	readonly name: string;
	/** Up and down together, one for each span. */
	readonly values: readonly number[];
}

/** Bytes that the operator added to a day of an account, or took away. */
export interface BandwidthCorrection {
	readonly made: string;
	readonly username: string;
	/** The start of the UTC day. */
	readonly date: string;
	/** Bytes; below zero if they were taken away. */
	readonly up: number;
	readonly down: number;
	readonly reason: string;
}

/** At most 5 minutes old. */
export interface TopSubUsers {
	readonly as_of: string;
	/** By up and down together, the largest first. Deleted ones are among them. */
	readonly sub_users: readonly TopSubUser[];
	/** What all others used, with the resellers' own pairs. With it, the rows add up to all that was used. */
	readonly others: BandwidthCost & {
		/** How many sub-users it is. */
		readonly sub_users: number;
	};
}

export interface BandwidthCost extends BandwidthBytes {
	/** USD cents; `null` for hours, whose cost is not known. */
	readonly cost: number | null;
}

export interface TopSubUser extends BandwidthCost {
	readonly reseller: string;
	readonly username: string;
}
