import type { LoadedUsage } from '../../domain/decide-usage.ts';
import {
	type CounterReading,
	type ResellerUsageDay,
	type UsageDay,
	type UsageReport,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../domain/usage.ts';
import { type UsageCounter, usageCounterKey } from '../../domain/usage-counter.ts';
import { parseReadingDays, READING_DAYS } from '../reading-days.ts';
import type { Query } from './connections.ts';
import { givenRows } from './rows.ts';

const USAGE_HORIZON = 'usage_horizon_ms';

/**
 * Loads what is known about the reports and readings of a batch. Each row is found by its whole key, with LATERAL and
 * LIMIT: without good statistics, the planner would otherwise read all days of an account, or of a reseller.
 */
export async function loadUsage(
	query: Query,
	reports: readonly UsageReport[],
	readings: readonly CounterReading[],
): Promise<LoadedUsage> {
	const [counted, counters, used, facts] = await Promise.all([
		findReports(query, reports),
		findCounters(query, readings),
		findDays(query, [...reports, ...readings]),
		// Read after the names: if a name was forgotten before it was looked up, the horizon shows it.
		query<{ name: string; value: string }>('SELECT name, value FROM meta WHERE name = ANY($1)', [
			[USAGE_HORIZON, READING_DAYS],
		]),
	]);
	const factOf = (wanted: string) => facts.rows.find(({ name }) => name === wanted)?.value;
	const horizonMs = factOf(USAGE_HORIZON);
	if (horizonMs === undefined) throw new Error('the database has lost its usage horizon: restore a backup');
	return {
		reports: new Map(counted.map((report) => [usageReportKey(report), report])),
		counters: new Map(counters.map((counter) => [usageCounterKey(counter), counter])),
		readingDays: parseReadingDays(factOf(READING_DAYS)),
		...used,
		horizonMs: Number(horizonMs),
	};
}

async function findReports(query: Query, reports: readonly UsageReport[]): Promise<readonly UsageReport[]> {
	if (reports.length === 0) return [];
	const { from, values } = givenRows(reports, {
		source: ['text', ({ source }) => source],
		report_id: ['text', ({ id }) => id],
	});
	const { rows } = await query<UsageReport>(
		`SELECT found.* FROM ${from} CROSS JOIN LATERAL (
			SELECT source, report_id AS id, username, at_ms AS "atMs", bytes_up AS "bytesUp", bytes_down AS "bytesDown"
			FROM usage_reports WHERE usage_reports.source = given.source AND usage_reports.report_id = given.report_id
			LIMIT 1) AS found`,
		values,
	);
	return rows;
}

async function findCounters(query: Query, readings: readonly CounterReading[]): Promise<readonly UsageCounter[]> {
	if (readings.length === 0) return [];
	const distinct = [...new Map(readings.map((reading) => [usageCounterKey(reading), reading])).values()];
	const { from, values } = givenRows(distinct, {
		edge: ['text', ({ edge }) => edge],
		counter: ['text', ({ counter }) => counter],
	});
	const { rows } = await query<UsageCounter>(
		`SELECT found.* FROM ${from} CROSS JOIN LATERAL (
			SELECT edge, counter, username, bytes_up AS "bytesUp", bytes_down AS "bytesDown", seen_day AS "seenDay"
			FROM usage_counters WHERE usage_counters.edge = given.edge AND usage_counters.counter = given.counter
			LIMIT 1) AS found`,
		values,
	);
	return rows;
}

/** The total of an account on a day, or of its reseller if `username` is `null`. */
interface FoundDay extends ResellerUsageDay {
	readonly username: string | null;
}

/** The resellers of all accounts, and the days to which bytes may be added. */
async function findDays(
	query: Query,
	all: readonly (UsageReport | CounterReading)[],
): Promise<Pick<LoadedUsage, 'resellers' | 'days' | 'resellerDays'>> {
	const { from, values } = givenRows(distinctDays(all), {
		username: ['text', ({ username }) => username],
		day: ['integer', ({ day }) => day],
	});
	const { rows } = await query<FoundDay>(
		`WITH used AS MATERIALIZED (
			SELECT given.username, owner.reseller, given.day, bytes_up, bytes_down FROM ${from}
			CROSS JOIN LATERAL (SELECT reseller FROM usernames WHERE usernames.username = given.username LIMIT 1) AS owner
			LEFT JOIN LATERAL (SELECT bytes_up, bytes_down FROM usage_days WHERE usage_days.reseller = owner.reseller
				AND usage_days.username = given.username AND usage_days.day = given.day LIMIT 1) AS known ON true),
		all_used AS (
			SELECT username, reseller, day, bytes_up, bytes_down FROM used
			UNION ALL
			SELECT NULL, reseller, day, known.bytes_up, known.bytes_down
			FROM (SELECT DISTINCT reseller, day FROM used) AS wanted
			CROSS JOIN LATERAL (SELECT bytes_up, bytes_down FROM usage_reseller_days
				WHERE usage_reseller_days.reseller = wanted.reseller AND usage_reseller_days.day = wanted.day
				LIMIT 1) AS known)
		SELECT username, reseller, day, COALESCE(bytes_up, 0) AS "bytesUp", COALESCE(bytes_down, 0) AS "bytesDown"
		FROM all_used`,
		values,
	);
	const resellers = new Map<string, string>();
	const days = new Map<string, UsageDay>();
	const resellerDays = new Map<string, ResellerUsageDay>();
	for (const { username, ...total } of rows) {
		if (username === null) {
			resellerDays.set(usageDayKey(total.reseller, total.day), total);
			continue;
		}
		resellers.set(username, total.reseller);
		days.set(usageDayKey(username, total.day), { username, ...total });
	}
	return { resellers, days, resellerDays };
}

function distinctDays(all: readonly (UsageReport | CounterReading)[]) {
	const days = new Map<string, { readonly username: string; readonly day: number }>();
	for (const { username, atMs } of all) {
		const day = usageDayOf(atMs);
		days.set(usageDayKey(username, day), { username, day });
	}
	return [...days.values()];
}
