import {
	type CountedVerdict,
	type ResellerUsageDay,
	type UsageDay,
	type UsageReport,
	usageDayKey,
	usageForgottenBeforeMs,
	usageReportKey,
	VERDICTS_FORGOTTEN_AT_ONCE,
	verdictsForgottenBeforeDay,
} from '../../domain/usage.ts';
import { insertInto, type Statement, writing } from './rows.ts';

/** All processes write reports in this order, so that there are no deadlocks. */
export function adding(reports: readonly UsageReport[], nowMs: number): Statement | undefined {
	const sorted = reports.toSorted((a, b) => (usageReportKey(a) < usageReportKey(b) ? -1 : 1));
	return writing(
		sorted,
		{
			source: ['text', ({ source }) => source],
			report_id: ['text', ({ id }) => id],
			username: ['text', ({ username }) => username],
			at_ms: ['bigint', ({ atMs }) => atMs],
			bytes_up: ['bigint', ({ bytesUp }) => bytesUp],
			bytes_down: ['bigint', ({ bytesDown }) => bytesDown],
			received_at_ms: ['bigint', () => nowMs],
		},
		insertInto('usage_reports'),
	);
}

export function addingToDays(days: readonly UsageDay[], before: ReadonlyMap<string, UsageDay>): Statement | undefined {
	return writing(
		days.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
		{
			reseller: ['text', ({ reseller }) => reseller],
			username: ['text', ({ username }) => username],
			day: ['integer', ({ day }) => day],
			...gained((day: UsageDay) => before.get(usageDayKey(day.username, day.day))),
		},
		(given) => `${insertInto('usage_days')(given)} ON CONFLICT (reseller, username, day) DO UPDATE
			SET bytes_up = usage_days.bytes_up + excluded.bytes_up, bytes_down = usage_days.bytes_down + excluded.bytes_down`,
	);
}

function orderOf({ reseller, username, day }: UsageDay): string {
	return `${reseller}/${usageDayKey(username, day)}`;
}

/** All processes write these after the days of accounts, in one order too. */
export function addingToResellerDays(
	days: readonly ResellerUsageDay[],
	before: ReadonlyMap<string, ResellerUsageDay>,
): Statement | undefined {
	const keyOf = ({ reseller, day }: ResellerUsageDay) => usageDayKey(reseller, day);
	return writing(
		days.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
		{
			reseller: ['text', ({ reseller }) => reseller],
			day: ['integer', ({ day }) => day],
			...gained((day: ResellerUsageDay) => before.get(keyOf(day))),
		},
		(given) => `${insertInto('usage_reseller_days')(given)} ON CONFLICT (reseller, day) DO UPDATE
			SET bytes_up = usage_reseller_days.bytes_up + excluded.bytes_up,
				bytes_down = usage_reseller_days.bytes_down + excluded.bytes_down`,
	);
}

/** The bytes that are added to a day, as columns. */
function gained<Day extends ResellerUsageDay>(before: (day: Day) => ResellerUsageDay | undefined) {
	return {
		bytes_up: ['bigint', (day: Day) => day.bytesUp - (before(day)?.bytesUp ?? 0)],
		bytes_down: ['bigint', (day: Day) => day.bytesDown - (before(day)?.bytesDown ?? 0)],
	} as const;
}

/**
 * All processes change the same few rows, after the days and in one order. Only the horizon is locked later, so a
 * transaction waits here for a commit of another one at most.
 */
export function addingToVerdicts(counted: readonly CountedVerdict[]): Statement | undefined {
	return writing(
		counted,
		{
			day: ['integer', ({ day }) => day],
			verdict: ['text', ({ verdict }) => verdict],
			reports: ['bigint', ({ reports }) => reports],
		},
		(given) => `${insertInto('usage_verdicts')(given)} ON CONFLICT (day, verdict) DO UPDATE
			SET reports = usage_verdicts.reports + excluded.reports`,
	);
}

export function forgettingVerdicts(nowMs: number): Statement {
	return {
		sql: `DELETE FROM usage_verdicts WHERE (day, verdict) IN (
			SELECT day, verdict FROM usage_verdicts WHERE day < $1 ORDER BY day, verdict LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		values: [verdictsForgottenBeforeDay(nowMs), VERDICTS_FORGOTTEN_AT_ONCE],
	};
}

/** Forgets at most twice as many reports as came in. So old reports never pile up, and no batch is slow. */
export function forgetting(reportCount: number, nowMs: number): Statement {
	return {
		sql: `WITH forgotten AS (
			DELETE FROM usage_reports WHERE (source, report_id) IN (
				SELECT source, report_id FROM usage_reports WHERE received_at_ms < $1
				ORDER BY received_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)
			RETURNING at_ms)
			UPDATE meta SET value = (SELECT max(at_ms) + 1 FROM forgotten)::text
			WHERE name = 'usage_horizon_ms' AND value::bigint <= (SELECT max(at_ms) FROM forgotten)`,
		values: [usageForgottenBeforeMs(nowMs), 2 * reportCount],
	};
}

/**
 * Locks the horizon until the end of the transaction, and fails if it has passed a report. All processes lock it last,
 * so that a transaction that holds it waits for nothing else.
 */
export function stayingBehindHorizon(reports: readonly UsageReport[]): Statement {
	const earliestMs = reports.reduce((earliest, { atMs }) => Math.min(earliest, atMs), Infinity);
	return {
		sql: `SELECT (value::bigint <= $1)::is_behind_usage_horizon FROM meta WHERE name = 'usage_horizon_ms' FOR SHARE`,
		values: [earliestMs],
	};
}
