import {
	decideUsage,
	type LoadedUsage,
	type UsageDay,
	type UsageReport,
	type UsageVerdict,
	usageDayKey,
	usageDayOf,
	usageForgottenBeforeMs,
	usageReportKey,
} from '../../domain/usage.ts';
import type { Connection } from './connection.ts';
import type { Transaction } from './transaction.ts';

/** Loads, decides and writes a batch of usage reports, inside a transaction that already holds the lock. */
export function usageBatch(connection: Connection): Transaction<UsageReport, UsageVerdict> {
	const load = prepareLoad(connection);
	const addReport = connection.prepare(
		`INSERT INTO usage_reports (source, report_id, username, at_ms, bytes_up, bytes_down, received_at_ms)
		 VALUES (?, ?, ?, ?, ?, ?, ?)`,
	);
	const setDay = connection.prepare(
		`INSERT INTO usage_days (reseller, username, day, bytes_up, bytes_down) VALUES (?, ?, ?, ?, ?)
		 ON CONFLICT DO UPDATE SET bytes_up = excluded.bytes_up, bytes_down = excluded.bytes_down`,
	);
	// Twice as many as can come in at once: what has to be forgotten never piles up, and no batch is held up by it.
	const forget = connection.prepare<[number, number]>(
		`DELETE FROM usage_reports WHERE number IN (
		   SELECT number FROM usage_reports ORDER BY number LIMIT ?
		 ) AND received_at_ms < ?`,
	);

	return (reports, nowMs) => {
		const { verdicts, countedReports, changedDays } = decideUsage(load(reports), reports, nowMs);
		for (const { source, id, username, atMs, bytesUp, bytesDown } of countedReports) {
			addReport.run(source, id, username, atMs, bytesUp, bytesDown, nowMs);
		}
		for (const { reseller, username, day, bytesUp, bytesDown } of changedDays) {
			setDay.run(reseller, username, day, bytesUp, bytesDown);
		}
		forget.run(2 * reports.length, usageForgottenBeforeMs(nowMs));
		return { results: verdicts, faults: [] };
	};
}

function prepareLoad(connection: Connection): (reports: readonly UsageReport[]) => LoadedUsage {
	const resellerOf = connection.prepare<[string]>('SELECT reseller FROM usernames WHERE username = ?').pluck();
	const countedReport = connection.prepare<[string, string], UsageReport>(
		`SELECT source, report_id AS id, username, at_ms AS atMs, bytes_up AS bytesUp, bytes_down AS bytesDown
		 FROM usage_reports WHERE source = ? AND report_id = ?`,
	);
	const usedDay = connection.prepare<[string, string, number], UsageDay>(
		`SELECT reseller, username, day, bytes_up AS bytesUp, bytes_down AS bytesDown
		 FROM usage_days WHERE reseller = ? AND username = ? AND day = ?`,
	);
	return (reports) => {
		const resellers = new Map<string, string>();
		const counted = new Map<string, UsageReport>();
		const days = new Map<string, UsageDay>();
		for (const { source, id, username, atMs } of reports) {
			const reseller = resellers.get(username) ?? (resellerOf.get(username) as string | undefined);
			if (reseller === undefined) continue;
			resellers.set(username, reseller);
			const first = countedReport.get(source, id);
			if (first) counted.set(usageReportKey(first), first);
			const day = usageDayOf(atMs);
			const dayKey = usageDayKey(username, day);
			if (days.has(dayKey)) continue;
			days.set(dayKey, usedDay.get(reseller, username, day) ?? { reseller, username, day, bytesUp: 0, bytesDown: 0 });
		}
		return { resellers, reports: counted, days };
	};
}
