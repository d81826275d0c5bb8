import { decideUsage, type LoadedUsage, splitUsage } from '../../domain/decide-usage.ts';
import {
	type ArrivedReport,
	type CounterReading,
	type ResellerUsageDay,
	type UsageDay,
	type UsageReport,
	type UsageVerdict,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../domain/usage.ts';
import { type UsageCounter, usageCounterKey } from '../../domain/usage-counter.ts';
import { parseReadingDays, READING_DAYS } from '../reading-days.ts';
import type { Query } from './connections.ts';
import { givenRows } from './rows.ts';
import type { Transaction } from './transaction.ts';
import { addingCounters, changingCounters, countingDays, forgettingCounters, reportingTo } from './usage-counters.ts';
import {
	adding,
	addingToDays,
	addingToResellerDays,
	addingToVerdicts,
	forgetting,
	forgettingVerdicts,
	stayingBehindHorizon,
} from './usage-writes.ts';

/**
 * Loads and decides a batch of usage reports and readings. It locks nothing while it loads. It adds its bytes to the
 * totals that the days have when it writes. The batch is run again in four cases: another process has counted one of its
 * reports, or changed one of its counters; a total passes its limit; or the horizon has passed one of its reports, whose
 * name may have been forgotten meanwhile.
 */
export const usageBatch: Transaction<ArrivedReport, UsageVerdict> = async (query, arrived, nowMs) => {
	const { reports, readings } = splitUsage(arrived);
	const loaded = await load(query, reports, readings);
	const decided = decideUsage(loaded, arrived, nowMs);
	const { verdicts, countedReports } = decided;
	const writes = [
		adding(countedReports, nowMs),
		changingCounters(decided.changedCounters, loaded.counters),
		addingCounters(decided.changedCounters, loaded.counters),
		addingToDays(decided.changedDays, loaded.days),
		addingToResellerDays(decided.changedResellerDays, loaded.resellerDays),
		reportingTo(decided.reportedToMs),
		addingToVerdicts(decided.countedVerdicts),
		forgettingVerdicts(nowMs),
	];
	if (readings.length > 0) {
		writes.push(
			countingDays(decided.readingDays, loaded.readingDays),
			forgettingCounters(readings.length, decided.readingDays),
		);
	}
	if (countedReports.length > 0) writes.push(forgetting(arrived.length, nowMs), stayingBehindHorizon(countedReports));
	return {
		results: verdicts,
		faults: [],
		writes: writes.filter((statement) => statement !== undefined),
		mustCommit: arrived.length > 0,
	};
};

const USAGE_HORIZON = 'usage_horizon_ms';

async function load(
	query: Query,
	reports: readonly UsageReport[],
	readings: readonly CounterReading[],
): Promise<LoadedUsage> {
	const all = [...reports, ...readings];
	const usernames = [...new Set(all.map(({ username }) => username))];
	const named = givenRows(reports, {
		source: ['text', ({ source }) => source],
		report_id: ['text', ({ id }) => id],
	});
	const read = givenRows(distinctCounters(readings), {
		edge: ['text', ({ edge }) => edge],
		counter: ['text', ({ counter }) => counter],
	});
	const used = givenRows(distinctDays(all), {
		username: ['text', ({ username }) => username],
		day: ['integer', ({ day }) => day],
	});
	const [owners, counted, counters, days, resellerDays, facts] = await Promise.all([
		query<{ username: string; reseller: string }>('SELECT username, reseller FROM usernames WHERE username = ANY($1)', [
			usernames,
		]),
		query<UsageReport>(
			`SELECT source, report_id AS id, username, at_ms AS "atMs", bytes_up AS "bytesUp", bytes_down AS "bytesDown"
			 FROM usage_reports JOIN ${named.from} USING (${named.columns})`,
			named.values,
		),
		query<UsageCounter>(
			`SELECT edge, counter, username, bytes_up AS "bytesUp", bytes_down AS "bytesDown", seen_day AS "seenDay"
			 FROM usage_counters JOIN ${read.from} USING (${read.columns})`,
			read.values,
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
		query<{ name: string; value: string }>('SELECT name, value FROM meta WHERE name = ANY($1)', [
			[USAGE_HORIZON, READING_DAYS],
		]),
	]);
	const factOf = (wanted: string) => facts.rows.find(({ name }) => name === wanted)?.value;
	const horizonMs = factOf(USAGE_HORIZON);
	if (horizonMs === undefined) throw new Error('the database has lost its usage horizon: restore a backup');
	return {
		resellers: new Map(owners.rows.map(({ username, reseller }) => [username, reseller])),
		reports: new Map(counted.rows.map((report) => [usageReportKey(report), report])),
		counters: new Map(counters.rows.map((counter) => [usageCounterKey(counter), counter])),
		readingDays: parseReadingDays(factOf(READING_DAYS)),
		days: new Map(days.rows.map((day) => [usageDayKey(day.username, day.day), day])),
		resellerDays: new Map(resellerDays.rows.map((day) => [usageDayKey(day.reseller, day.day), day])),
		horizonMs: Number(horizonMs),
	};
}

function distinctCounters(readings: readonly CounterReading[]): readonly CounterReading[] {
	return [...new Map(readings.map((reading) => [usageCounterKey(reading), reading])).values()];
}

function distinctDays(
	reports: readonly (UsageReport | CounterReading)[],
): readonly { readonly username: string; readonly day: number }[] {
	const days = new Map<string, { username: string; day: number }>();
	for (const { username, atMs } of reports) {
		const day = usageDayOf(atMs);
		days.set(usageDayKey(username, day), { username, day });
	}
	return [...days.values()];
}
