import type { LoadedUsage } from '../../domain/decide-usage.ts';
import {
	type Bytes,
	type CounterReading,
	type ResellerUsageDay,
	type UsageReport,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../domain/usage.ts';
import {
	edgesBeginningLasting,
	MAX_LASTING_COUNTERS,
	type UsageCounter,
	usageCounterKey,
} from '../../domain/usage-counter.ts';
import type { KnownResellers } from '../known-resellers.ts';
import { parseReadingDays, READING_DAYS } from '../reading-days.ts';
import type { Query } from './connections.ts';
import { arrayOf, givenRows } from './rows.ts';

const USAGE_HORIZON = 'usage_horizon_ms';

interface LoadOptions {
	/** The resellers that are known already. Those that are found are added. */
	readonly resellers: KnownResellers;
	/** Whether to load the totals of the days. */
	readonly withTotals: boolean;
}

/** The database's clock among the facts of `meta`. */
const NOW = 'now';

const NO_TOTALS: Pick<LoadedUsage, 'days' | 'resellerDays'> = { days: new Map(), resellerDays: new Map() };

/**
 * Loads what is known about the reports and readings of a batch. Each row is found by its whole key: with LATERAL and
 * LIMIT, or with a list of the last column. Without good statistics, the planner would otherwise read all days of an
 * account, or of a reseller. `databaseMs` is the database's clock.
 */
export async function loadUsage(
	query: Query,
	reports: readonly UsageReport[],
	readings: readonly CounterReading[],
	{ resellers, withTotals }: LoadOptions,
): Promise<LoadedUsage & { readonly databaseMs: number }> {
	const [counted, counters, totals, facts] = await Promise.all([
		findReports(query, reports),
		findCounters(query, readings),
		withTotals ? findDays(query, [...reports, ...readings]) : NO_TOTALS,
		// Read after the names: if a name was forgotten before it was looked up, the horizon shows it.
		query<{ name: string; value: string }>(
			`SELECT name, value FROM meta WHERE name = ANY($1)
			 UNION ALL SELECT '${NOW}', (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text`,
			[[USAGE_HORIZON, READING_DAYS]],
		),
		findResellers(query, [...reports, ...readings], resellers),
	]);
	const factOf = (wanted: string) => facts.rows.find(({ name }) => name === wanted)?.value;
	const horizonMs = factOf(USAGE_HORIZON);
	if (horizonMs === undefined) throw new Error('the database has lost its usage horizon: restore a backup');
	return {
		reports: new Map(counted.map((report) => [usageReportKey(report), report])),
		counters,
		lastingCounters: await countLasting(query, edgesBeginningLasting(readings, counters)),
		readingDays: parseReadingDays(factOf(READING_DAYS)),
		resellers,
		...totals,
		horizonMs: Number(horizonMs),
		databaseMs: Number(factOf(NOW)),
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

type FoundCounter = Omit<UsageCounter, 'edge'>;

/** A batch has readings of a few edges at most, because it has a few steps at most. */
async function findCounters(query: Query, readings: readonly CounterReading[]): Promise<LoadedUsage['counters']> {
	const counters = new Map<string, UsageCounter>();
	const ofEdges = Map.groupBy(readings, ({ edge }) => edge);
	async function find(edge: string, ofEdge: readonly CounterReading[]): Promise<void> {
		const { rows } = await query<FoundCounter>(
			`SELECT counter, username, bytes_up AS "bytesUp", bytes_down AS "bytesDown", seen_day AS "seenDay"
			FROM usage_counters WHERE edge = $1 AND counter = ANY($2::text[])`,
			[edge, arrayOf(ofEdge.map(({ counter }) => counter))],
		);
		for (const { counter, username, bytesUp, bytesDown, seenDay } of rows) {
			const found = { edge, counter, username, bytesUp, bytesDown, seenDay };
			counters.set(usageCounterKey(found), found);
		}
	}
	await Promise.all(Array.from(ofEdges, ([edge, ofEdge]) => find(edge, ofEdge)));
	return counters;
}

async function countLasting(query: Query, edges: ReadonlySet<string>): Promise<LoadedUsage['lastingCounters']> {
	const counted = Array.from(edges, async (edge) => {
		const { rows } = await query<{ count: number }>(
			`SELECT count(*) FROM
			(SELECT 1 FROM usage_counters WHERE edge = $1 AND seen_day IS NULL LIMIT ${MAX_LASTING_COUNTERS}) AS lasting`,
			[edge],
		);
		return [edge, Number(rows[0]?.count)] as const;
	});
	return new Map(await Promise.all(counted));
}

/** Adds the resellers of the accounts that are not known yet. */
async function findResellers(
	query: Query,
	all: readonly (UsageReport | CounterReading)[],
	resellers: KnownResellers,
): Promise<void> {
	const unknown = new Set<string>();
	for (const { username } of all) if (!resellers.has(username)) unknown.add(username);
	if (unknown.size === 0) return;
	const { rows } = await query<{ username: string; reseller: string }>(
		'SELECT username, reseller FROM usernames WHERE username = ANY($1::text[])',
		[arrayOf([...unknown])],
	);
	for (const { username, reseller } of rows) resellers.set(username, reseller);
}

/** The total of an account on a day, or of its reseller if `username` is `null`. */
interface FoundDay extends ResellerUsageDay {
	readonly username: string | null;
}

/** The days to which bytes may be added. */
async function findDays(
	query: Query,
	all: readonly (UsageReport | CounterReading)[],
): Promise<Pick<LoadedUsage, 'days' | 'resellerDays'>> {
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
	const days = new Map<string, Bytes>();
	const resellerDays = new Map<string, Bytes>();
	for (const { username, reseller, day, ...total } of rows) {
		if (username === null) resellerDays.set(usageDayKey(reseller, day), total);
		else days.set(usageDayKey(username, day), total);
	}
	return { days, resellerDays };
}

function distinctDays(all: readonly (UsageReport | CounterReading)[]) {
	const days = new Map<string, { readonly username: string; readonly day: number }>();
	for (const { username, atMs } of all) {
		const day = usageDayOf(atMs);
		days.set(usageDayKey(username, day), { username, day });
	}
	return [...days.values()];
}
