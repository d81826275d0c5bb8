import { decideUsage, type LoadedUsage, splitUsage } from '../../domain/decide-usage.ts';
import {
	type ArrivedReport,
	type Bytes,
	type CounterReading,
	type UsageReport,
	type UsageVerdict,
	usageDayKey,
	usageDayOf,
	usageForgottenBeforeMs,
	usageReportKey,
	VERDICTS_FORGOTTEN_AT_ONCE,
	verdictsForgottenBeforeDay,
} from '../../domain/usage.ts';
import { type KnownResellers, rememberResellers } from '../known-resellers.ts';
import type { Connection } from './connection.ts';
import { prepareRows } from './rows.ts';
import type { Transaction } from './transaction.ts';
import { usageCounters } from './usage-counters.ts';
import { FIND_REPORTS, nameHash, usageNames } from './usage-names.ts';

/**
 * Loads, decides and writes a batch of usage reports and readings, inside a transaction that already holds the lock. It
 * adds its bytes to the totals that the days have. Without `withTotals` it does not load these totals, and fails if one
 * of them would pass its limit.
 */
export function usageBatch(
	connection: Connection,
	{ withTotals }: { readonly withTotals: boolean },
): Transaction<ArrivedReport, UsageVerdict> {
	const counters = usageCounters(connection);
	const load = prepareLoad(connection);
	// FAIL is cheaper than ABORT, which copies pages for each statement. If a statement fails, the whole transaction is
	// rolled back anyway.
	const addReports = prepareRows(
		connection,
		`INSERT OR FAIL INTO usage_reports
		 (number, source, report_id, username, at_ms, bytes_up, bytes_down, received_at_ms) VALUES`,
		8,
	);
	const addToDays = prepareRows(
		connection,
		'INSERT OR FAIL INTO usage_days (reseller, username, day, bytes_up, bytes_down) VALUES',
		5,
		ADD_BYTES,
	);
	const addToResellerDays = prepareRows(
		connection,
		'INSERT OR FAIL INTO usage_reseller_days (reseller, day, bytes_up, bytes_down) VALUES',
		4,
		ADD_BYTES,
	);
	const lastNumber = connection.prepare('SELECT COALESCE(MAX(number), 0) FROM usage_reports').pluck();
	const countVerdicts = prepareRows(
		connection,
		'INSERT OR FAIL INTO usage_verdicts (day, verdict, reports) VALUES',
		3,
		'ON CONFLICT DO UPDATE SET reports = reports + excluded.reports',
	);
	const forgetVerdicts = connection.prepare(
		`DELETE FROM usage_verdicts WHERE (day, verdict) IN
		 (SELECT day, verdict FROM usage_verdicts WHERE day < ? ORDER BY day, verdict LIMIT ?)`,
	);
	const names = usageNames(connection);
	const forget = prepareForget(connection);

	return (arrived, nowMs) => {
		const { reports, readings } = splitUsage(arrived);
		const all = [...reports, ...readings];
		const resellers = load.resellers(all);
		const totals = withTotals ? load.days(all, resellers) : NO_TOTALS;
		const loaded = { ...load.reports(reports), ...counters.load(readings), resellers, ...totals };
		const decided = decideUsage(loaded, arrived, nowMs);
		const { verdicts, countedReports, ...changed } = decided;
		const firstNumber = (lastNumber.get() as number) + 1;
		let number = firstNumber;
		addReports(countedReports, ({ source, id, username, atMs, bytesUp, bytesDown }, values) => {
			values.push(number++, source, id, username, atMs, bytesUp, bytesDown, nowMs);
		});
		names.add(countedReports, firstNumber);
		addToDays(changed.addedDays, ({ reseller, username, day, bytesUp, bytesDown }, values) => {
			values.push(reseller, username, day, bytesUp, bytesDown);
		});
		addToResellerDays(changed.addedResellerDays, ({ reseller, day, bytesUp, bytesDown }, values) => {
			values.push(reseller, day, bytesUp, bytesDown);
		});
		countVerdicts(changed.countedVerdicts, ({ day, verdict, reports: count }, values) => {
			values.push(day, verdict, count);
		});
		forgetVerdicts.run(verdictsForgottenBeforeDay(nowMs), VERDICTS_FORGOTTEN_AT_ONCE);
		forget(arrived.length, nowMs);
		counters.write(changed, loaded);
		counters.forget(readings.length, changed.readingDays);
		return { results: verdicts, faults: [] };
	};
}

const ADD_BYTES = `ON CONFLICT DO UPDATE
	SET bytes_up = bytes_up + excluded.bytes_up, bytes_down = bytes_down + excluded.bytes_down`;
const NOTHING_USED = { bytesUp: 0, bytesDown: 0 };
const NO_TOTALS: Pick<LoadedUsage, 'days' | 'resellerDays'> = { days: new Map(), resellerDays: new Map() };

function prepareLoad(connection: Connection) {
	// Also returns reports with other names and the same hash. They are looked up only under their own names.
	const countedReports = connection.prepare<{ hashes: string }, UsageReport>(FIND_REPORTS);
	const horizon = connection.prepare("SELECT value FROM meta WHERE name = 'usage_horizon_ms'").pluck();
	const findResellers = connection
		.prepare<[string], [username: string, reseller: string]>(
			'SELECT username, reseller FROM json_each(?) AS given CROSS JOIN usernames WHERE username = given.value',
		)
		.raw();
	const knownResellers = rememberResellers();
	const usedDay = connection.prepare<[string, string, number], Bytes>(
		`SELECT bytes_up AS bytesUp, bytes_down AS bytesDown
		 FROM usage_days WHERE reseller = ? AND username = ? AND day = ?`,
	);
	const usedResellerDay = connection.prepare<[string, number], Bytes>(
		'SELECT bytes_up AS bytesUp, bytes_down AS bytesDown FROM usage_reseller_days WHERE reseller = ? AND day = ?',
	);
	return {
		reports(reports: readonly UsageReport[]): Pick<LoadedUsage, 'reports' | 'horizonMs'> {
			const counted = new Map<string, UsageReport>();
			const hashes = JSON.stringify(reports.map(nameHash));
			for (const first of countedReports.all({ hashes })) counted.set(usageReportKey(first), first);
			return { reports: counted, horizonMs: Number(horizon.get()) };
		},
		/** The resellers of all accounts that exist. */
		resellers(all: readonly (UsageReport | CounterReading)[]): KnownResellers {
			const resellers = knownResellers();
			const unknown = new Set<string>();
			for (const { username } of all) if (!resellers.has(username)) unknown.add(username);
			if (unknown.size === 0) return resellers;
			for (const [username, reseller] of findResellers.all(JSON.stringify([...unknown]))) {
				resellers.set(username, reseller);
			}
			return resellers;
		},
		/** The days to which bytes may be added. */
		days(
			all: readonly (UsageReport | CounterReading)[],
			resellers: KnownResellers,
		): Pick<LoadedUsage, 'days' | 'resellerDays'> {
			const days = new Map<string, Bytes>();
			const resellerDays = new Map<string, Bytes>();
			for (const { username, atMs } of all) {
				const day = usageDayOf(atMs);
				const reseller = resellers.get(username);
				const dayKey = usageDayKey(username, day);
				if (reseller === undefined || days.has(dayKey)) continue;
				days.set(dayKey, usedDay.get(reseller, username, day) ?? NOTHING_USED);
				const resellerKey = usageDayKey(reseller, day);
				if (resellerDays.has(resellerKey)) continue;
				resellerDays.set(resellerKey, usedResellerDay.get(reseller, day) ?? NOTHING_USED);
			}
			return { days, resellerDays };
		},
	};
}

/** Forgets at most twice as many reports as came in. So old reports never pile up, and no batch is slow. */
function prepareForget(connection: Connection): (reportCount: number, nowMs: number) => void {
	const oldest = connection.prepare('SELECT received_at_ms FROM usage_reports ORDER BY number LIMIT 1').pluck();
	const forgettable = `WHERE number IN (
		   SELECT number FROM usage_reports ORDER BY number LIMIT ?
		 ) AND received_at_ms < ?`;
	const raiseHorizon = connection.prepare<[number, number]>(
		`UPDATE meta SET value = MAX(CAST(value AS INTEGER), (SELECT MAX(at_ms) + 1 FROM usage_reports ${forgettable}))
		 WHERE name = 'usage_horizon_ms'`,
	);
	const forget = connection.prepare<[number, number]>(`DELETE FROM usage_reports ${forgettable}`);
	return (reportCount, nowMs) => {
		const beforeMs = usageForgottenBeforeMs(nowMs);
		const oldestMs = oldest.get() as number | undefined;
		if (oldestMs === undefined || oldestMs >= beforeMs) return;
		if (raiseHorizon.run(2 * reportCount, beforeMs).changes !== 1)
			throw new Error('the store has lost its usage horizon');
		forget.run(2 * reportCount, beforeMs);
	};
}
