import {
	type ArrivedReport,
	type CountedVerdict,
	decideUsage,
	type LoadedUsage,
	type ResellerUsageDay,
	readableReports,
	type UsageDay,
	type UsageReport,
	type UsageVerdict,
	usageDayKey,
	usageDayOf,
	usageForgottenBeforeMs,
	usageReportKey,
	VERDICTS_FORGOTTEN_AT_ONCE,
	verdictsForgottenBeforeDay,
} from '../../domain/usage.ts';
import type { Query } from './connections.ts';
import { givenRows, insertInto, type Statement, writing } from './rows.ts';
import type { Transaction } from './transaction.ts';

/**
 * Loads and decides a batch of usage reports. It locks nothing while it loads. It adds its bytes to the totals that the
 * days have when it writes. The batch is run again in three cases: another process has counted one of its reports, a
 * total passes its limit, or the horizon has passed one of its reports, whose name may have been forgotten meanwhile.
 */
export const usageBatch: Transaction<ArrivedReport, UsageVerdict> = async (query, reports, nowMs) => {
	const loaded = await load(query, readableReports(reports));
	const decided = decideUsage(loaded, reports, nowMs);
	const { verdicts, countedReports } = decided;
	const writes = [
		adding(countedReports, nowMs),
		addingToDays(decided.changedDays, loaded.days),
		addingToResellerDays(decided.changedResellerDays, loaded.resellerDays),
		addingToVerdicts(decided.countedVerdicts),
		forgettingVerdicts(nowMs),
	];
	if (countedReports.length > 0) writes.push(forgetting(reports.length, nowMs), stayingBehindHorizon(countedReports));
	return {
		results: verdicts,
		faults: [],
		writes: writes.filter((statement) => statement !== undefined),
		mustCommit: reports.length > 0,
	};
};

async function load(query: Query, reports: readonly UsageReport[]): Promise<LoadedUsage> {
	const usernames = [...new Set(reports.map(({ username }) => username))];
	const named = givenRows(reports, {
		source: ['text', ({ source }) => source],
		report_id: ['text', ({ id }) => id],
	});
	const used = givenRows(distinctDays(reports), {
		username: ['text', ({ username }) => username],
		day: ['integer', ({ day }) => day],
	});
	const [owners, counted, days, resellerDays, horizon] = await Promise.all([
		query<{ username: string; reseller: string }>('SELECT username, reseller FROM usernames WHERE username = ANY($1)', [
			usernames,
		]),
		query<UsageReport>(
			`SELECT source, report_id AS id, username, at_ms AS "atMs", bytes_up AS "bytesUp", bytes_down AS "bytesDown"
			 FROM usage_reports JOIN ${named.from} USING (${named.columns})`,
			named.values,
		),
		query<UsageDay>(
			`SELECT reseller, username, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown"
			 FROM ${used.from} JOIN usernames USING (username) JOIN usage_days USING (reseller, username, day)`,
			used.values,
		),
		query<ResellerUsageDay>(
			`SELECT DISTINCT reseller, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown"
			 FROM ${used.from} JOIN usernames USING (username) JOIN usage_reseller_days USING (reseller, day)`,
			used.values,
		),
		// Read after the names: if a name was forgotten before it was looked up, the horizon shows it.
		query<{ value: string }>("SELECT value FROM meta WHERE name = 'usage_horizon_ms'"),
	]);
	if (horizon.rows[0] === undefined) throw new Error('the database has lost its usage horizon: restore a backup');
	return {
		resellers: new Map(owners.rows.map(({ username, reseller }) => [username, reseller])),
		reports: new Map(counted.rows.map((report) => [usageReportKey(report), report])),
		days: new Map(days.rows.map((day) => [usageDayKey(day.username, day.day), day])),
		resellerDays: new Map(resellerDays.rows.map((day) => [usageDayKey(day.reseller, day.day), day])),
		horizonMs: Number(horizon.rows[0].value),
	};
}

function distinctDays(reports: readonly UsageReport[]): readonly { readonly username: string; readonly day: number }[] {
	const days = new Map<string, { username: string; day: number }>();
	for (const { username, atMs } of reports) {
		const day = usageDayOf(atMs);
		days.set(usageDayKey(username, day), { username, day });
	}
	return [...days.values()];
}

/** All processes write reports in this order, so that there are no deadlocks. */
function adding(reports: readonly UsageReport[], nowMs: number): Statement | undefined {
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

function addingToDays(days: readonly UsageDay[], before: ReadonlyMap<string, UsageDay>): Statement | undefined {
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
function addingToResellerDays(
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
function addingToVerdicts(counted: readonly CountedVerdict[]): Statement | undefined {
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

function forgettingVerdicts(nowMs: number): Statement {
	return {
		sql: `DELETE FROM usage_verdicts WHERE (day, verdict) IN (
			SELECT day, verdict FROM usage_verdicts WHERE day < $1 ORDER BY day, verdict LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		values: [verdictsForgottenBeforeDay(nowMs), VERDICTS_FORGOTTEN_AT_ONCE],
	};
}

/** Forgets at most twice as many reports as came in. So old reports never pile up, and no batch is slow. */
function forgetting(reportCount: number, nowMs: number): Statement {
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
function stayingBehindHorizon(reports: readonly UsageReport[]): Statement {
	const earliestMs = reports.reduce((earliest, { atMs }) => Math.min(earliest, atMs), Infinity);
	return {
		sql: `SELECT (value::bigint <= $1)::is_behind_usage_horizon FROM meta WHERE name = 'usage_horizon_ms' FOR SHARE`,
		values: [earliestMs],
	};
}
