import {
	type Bytes,
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
import { type Columns, insertInto, type Statement, writing } from './rows.ts';

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

export function addingToDays(added: readonly UsageDay[]): Statement | undefined {
	return writing(
		added.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)),
		{
			reseller: ['text', ({ reseller }) => reseller],
			username: ['text', ({ username }) => username],
			day: ['integer', ({ day }) => day],
			...BYTES,
		},
		(given) => `${insertInto('usage_days')(given)} ON CONFLICT (reseller, username, day) DO UPDATE
			SET bytes_up = usage_days.bytes_up + excluded.bytes_up, bytes_down = usage_days.bytes_down + excluded.bytes_down`,
	);
}

function isBefore(a: UsageDay, b: UsageDay): boolean {
	if (a.reseller !== b.reseller) return a.reseller < b.reseller;
	return a.username === b.username ? a.day < b.day : a.username < b.username;
}

/** All processes write these after the days of accounts, in one order too. */
export function addingToResellerDays(added: readonly ResellerUsageDay[]): Statement | undefined {
	const keyOf = ({ reseller, day }: ResellerUsageDay) => usageDayKey(reseller, day);
	return writing(
		added.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
		{
			reseller: ['text', ({ reseller }) => reseller],
			day: ['integer', ({ day }) => day],
			...BYTES,
		},
		(given) => `${insertInto('usage_reseller_days')(given)} ON CONFLICT (reseller, day) DO UPDATE
			SET bytes_up = usage_reseller_days.bytes_up + excluded.bytes_up,
				bytes_down = usage_reseller_days.bytes_down + excluded.bytes_down`,
	);
}

const BYTES = {
	bytes_up: ['bigint', ({ bytesUp }) => bytesUp],
	bytes_down: ['bigint', ({ bytesDown }) => bytesDown],
} satisfies Columns<Bytes>;

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
