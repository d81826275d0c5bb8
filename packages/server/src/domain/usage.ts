import { USAGE_ACCEPTED_DAYS, USAGE_SHOWN_DAYS } from '@bursar/contract/limits';

const DAY_MS = 86_400_000;

/**
 * How far ahead of our clock the timestamp of a report may be, in milliseconds.
 * @bound The time of a report is ahead of the clock of the service: then the report is refused as `timestamp_ahead`.
 */
export const MAX_AHEAD_MS = 5 * 60_000;

/** @bound UTC days before today of which counts of usage reports are kept: older ones are forgotten. */
const VERDICTS_KEPT_DAYS = 400;
/**
 * A batch forgets more counts than it adds, so old ones never pile up, and no batch is slow.
 * @bound Old counts of usage reports that one batch forgets: later batches forget the rest.
 */
export const VERDICTS_FORGOTTEN_AT_ONCE = 100;

/** Bandwidth that a proxy host reports. Reports are delivered at least once, in any order. */
export interface UsageReport {
	/** Who reports. `source` and `id` together name the report. */
	readonly source: string;
	readonly id: string;
	/** Normalized. */
	readonly username: string;
	/** When the bandwidth was used, in Unix milliseconds. */
	readonly atMs: number;
	readonly bytesUp: number;
	readonly bytesDown: number;
}

/** A report that could not be read. */
export interface UnreadableReport {
	readonly refused: UsageRefusal;
	/** The edge that sent it, and the username in it if it has the form of one. Absent for imports, which name the line. */
	readonly edge?: string;
	readonly username?: string;
}

/**
 * The present value of a counter of an edge. Counters only grow, so readings may be lost, repeated and reordered: each
 * direction adds what is above the highest known value.
 */
export interface CounterReading {
	/** The edge's name, from its credential. */
	readonly edge: string;
	readonly counter: string;
	/** Normalized. */
	readonly username: string;
	/** Unix milliseconds. What is new counts on this UTC day. */
	readonly atMs: number;
	/** The value so far. */
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** The most that the edge can carry in each direction, in bytes a millisecond. */
	readonly edgeBytesPerMs: number;
}

export type ArrivedReport = UsageReport | CounterReading | UnreadableReport;

/** What all accounts of a reseller used on one UTC day. */
export interface ResellerUsageDay {
	readonly reseller: string;
	/** The UTC day, in days since 1970-01-01. */
	readonly day: number;
	readonly bytesUp: number;
	readonly bytesDown: number;
}

/** What one account used on one UTC day. */
export interface UsageDay extends ResellerUsageDay {
	readonly username: string;
}

/** Why a report does not count. The other reports of the batch are not affected. */
export type UsageRefusal =
	| 'not_json'
	| 'invalid_report'
	| 'invalid_timestamp'
	| 'invalid_counter'
	| 'unknown_username'
	| 'timestamp_ahead'
	| 'timestamp_too_old'
	| 'counter_overflow'
	| 'too_fast'
	| 'conflict';

export type UsageVerdict = 'counted' | 'repeated' | { readonly refused: UsageRefusal };

/** How many reports of a batch had this verdict. */
export interface CountedVerdict {
	/** The UTC day of arrival, in days since 1970-01-01. */
	readonly day: number;
	/** `counted`, `repeated`, or the reason of a refusal. */
	readonly verdict: string;
	readonly reports: number;
}

export type Bytes = Pick<UsageDay, 'bytesUp' | 'bytesDown'>;

/** Whether a report or a total may have this many bytes: a safe integer of at least 0. */
export function isCounter(bytes: unknown): bytes is number {
	return Number.isSafeInteger(bytes) && (bytes as number) >= 0;
}

/** The start of the oldest UTC day whose reports are still accepted, in Unix milliseconds. */
export function usageAcceptedFromMs(nowMs: number): number {
	return startOfDayMs(usageDayOf(nowMs) - USAGE_ACCEPTED_DAYS);
}

/** A report received before this time may be forgotten: if the clock is right, no repeat of it can be accepted. */
export function usageForgottenBeforeMs(nowMs: number): number {
	return usageAcceptedFromMs(nowMs) - MAX_AHEAD_MS;
}

/** Counts of verdicts of days before this one are forgotten. */
export function verdictsForgottenBeforeDay(nowMs: number): number {
	return usageDayOf(nowMs) - VERDICTS_KEPT_DAYS;
}

/** The UTC days that `view_txs` shows: today and the 89 before it (docs/api.md 7.4). */
export function usageShownDays(nowMs: number): { readonly firstDay: number; readonly lastDay: number } {
	const lastDay = usageDayOf(nowMs);
	return { firstDay: lastDay - (USAGE_SHOWN_DAYS - 1), lastDay };
}

/** The UTC day of a time, in days since 1970-01-01. */
export function usageDayOf(atMs: number): number {
	return Math.floor(atMs / DAY_MS);
}

/** The start of a UTC day, in Unix milliseconds. */
export function startOfDayMs(day: number): number {
	return day * DAY_MS;
}

export function usageReportKey({ source, id }: Pick<UsageReport, 'source' | 'id'>): string {
	return `${source}\n${id}`;
}

export function usageDayKey(username: string, day: number): string {
	return `${username}/${day}`;
}
