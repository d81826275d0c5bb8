import {
	type ArrivedReport,
	decideUsage,
	type LoadedUsage,
	type ResellerUsageDay,
	readableReports,
	type UsageDay,
	type UsageReport,
	type UsageVerdict,
	usageDayKey,
	usageDayOf,
	usageReportKey,
} from '../../domain/usage.ts';
import type { Query } from './connections.ts';
import { givenRows } from './rows.ts';
import type { Transaction } from './transaction.ts';
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
