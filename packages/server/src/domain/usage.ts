import { MAX_CENTS, USAGE_SHOWN_DAYS } from '@bursar/contract/limits';

const DAY_MS = 86_400_000;

/** How far ahead of our clock the timestamp of a report may be, in milliseconds. */
const MAX_AHEAD_MS = 5 * 60_000;

/** Reports of today and of this many days before are accepted. Repeats are recognised for as long. */
const USAGE_ACCEPTED_DAYS = 120;

/** How many UTC days before today counts of verdicts are kept. */
const VERDICTS_KEPT_DAYS = 400;
/** A batch forgets more counts than it adds, so old ones never pile up, and no batch is slow. */
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

/** A report that could not be read. It is only counted. */
export interface UnreadableReport {
	readonly refused: UsageRefusal;
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
	/** Whether a value that falls means a restart: then all of the new value is new. Its readings come in order (GOST). */
	readonly restarts: boolean;
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

/** What the store knows about the reports of a batch. */
export interface LoadedUsage {
	/** The reseller of each username that exists. */
	readonly resellers: ReadonlyMap<string, string>;
	/** Reports that were already counted, by `usageReportKey`. */
	readonly reports: ReadonlyMap<string, UsageReport>;
	/** The totals of accounts so far, by `usageDayKey`. */
	readonly days: ReadonlyMap<string, UsageDay>;
	/** The totals of resellers so far, by `usageDayKey` of the reseller. */
	readonly resellerDays: ReadonlyMap<string, ResellerUsageDay>;
	/** Every forgotten report has a timestamp before this, in Unix milliseconds. It never decreases. */
	readonly horizonMs: number;
}

export interface DecidedUsage {
	/** One for each report, in the same order. */
	readonly verdicts: readonly UsageVerdict[];
	/** The reports that this batch counts. */
	readonly countedReports: readonly UsageReport[];
	/** The days of accounts that changed, with their new totals. */
	readonly changedDays: readonly UsageDay[];
	/** The days of resellers that changed, with their new totals. */
	readonly changedResellerDays: readonly ResellerUsageDay[];
	/** By verdict. */
	readonly countedVerdicts: readonly CountedVerdict[];
}

/**
 * Adds up reports for each UTC day, account and reseller. The first report with a name (source, id) counts. A repeat
 * counts nothing. A report with the same name and other content is refused as a conflict. `nowMs`: Unix milliseconds.
 */
export function decideUsage(loaded: LoadedUsage, reports: readonly ArrivedReport[], nowMs: number): DecidedUsage {
	const counted = new Map<string, UsageReport>();
	const days = new Map<string, UsageDay>();
	const resellerDays = new Map<string, ResellerUsageDay>();
	// The clock may have been ahead when names were forgotten, and corrected since.
	const acceptedFromMs = Math.max(usageAcceptedFromMs(nowMs), loaded.horizonMs);
	const verdicts = reports.map((report): UsageVerdict => {
		if ('refused' in report) return report;
		if (report.atMs > nowMs + MAX_AHEAD_MS) return { refused: 'timestamp_ahead' };
		if (report.atMs < acceptedFromMs) return { refused: 'timestamp_too_old' };
		const reseller = loaded.resellers.get(report.username);
		if (reseller === undefined) return { refused: 'unknown_username' };
		const reportKey = usageReportKey(report);
		const first = counted.get(reportKey) ?? loaded.reports.get(reportKey);
		if (first) return isSameContent(first, report) ? 'repeated' : { refused: 'conflict' };
		const day = usageDayOf(report.atMs);
		const dayKey = usageDayKey(report.username, day);
		const resellerKey = usageDayKey(reseller, day);
		const used = sum(days.get(dayKey) ?? loaded.days.get(dayKey), report);
		const usedByAll = sum(resellerDays.get(resellerKey) ?? loaded.resellerDays.get(resellerKey), report);
		if (!used || !usedByAll) return { refused: 'counter_overflow' };
		counted.set(reportKey, report);
		// A report of zero bytes is remembered, but makes no day with usage.
		if (report.bytesUp > 0 || report.bytesDown > 0) {
			days.set(dayKey, { reseller, username: report.username, day, ...used });
			resellerDays.set(resellerKey, { reseller, day, ...usedByAll });
		}
		return 'counted';
	});
	return {
		verdicts,
		countedReports: [...counted.values()],
		changedDays: [...days.values()],
		changedResellerDays: [...resellerDays.values()],
		countedVerdicts: countVerdicts(verdicts, usageDayOf(nowMs)),
	};
}

/** The reports that can be looked up. */
export function readableReports(reports: readonly ArrivedReport[]): readonly UsageReport[] {
	return reports.filter((report): report is UsageReport => !('refused' in report));
}

/** In the order of the verdicts, so that all processes write them in one order. */
function countVerdicts(verdicts: readonly UsageVerdict[], day: number): readonly CountedVerdict[] {
	const counts = new Map<string, number>();
	for (const verdict of verdicts) {
		const name = typeof verdict === 'string' ? verdict : verdict.refused;
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const counted = Array.from(counts, ([verdict, reports]) => ({ day, verdict, reports }));
	return counted.sort((a, b) => (a.verdict < b.verdict ? -1 : 1));
}

export type Bytes = Pick<UsageDay, 'bytesUp' | 'bytesDown'>;

/** Returns `undefined` if the sum is too large to count. */
function sum(before: Bytes = { bytesUp: 0, bytesDown: 0 }, more: Bytes): Bytes | undefined {
	const bytesUp = before.bytesUp + more.bytesUp;
	const bytesDown = before.bytesDown + more.bytesDown;
	return isCounter(bytesUp) && isCounter(bytesDown) ? { bytesUp, bytesDown } : undefined;
}

function isSameContent(a: UsageReport, b: UsageReport): boolean {
	return a.username === b.username && a.atMs === b.atMs && a.bytesUp === b.bytesUp && a.bytesDown === b.bytesDown;
}

/** Whether a report or a total may have this many bytes: a safe integer of at least 0. */
export function isCounter(bytes: unknown): bytes is number {
	return Number.isSafeInteger(bytes) && (bytes as number) >= 0 && (bytes as number) <= MAX_CENTS;
}

/** The start of the oldest UTC day whose reports are still accepted, in Unix milliseconds. */
function usageAcceptedFromMs(nowMs: number): number {
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
