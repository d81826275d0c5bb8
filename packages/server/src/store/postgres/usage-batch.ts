import { setImmediate } from 'node:timers/promises';
import { decideUsage, splitUsage } from '../../domain/decide-usage.ts';
import type { ArrivedReport, UsageVerdict } from '../../domain/usage.ts';
import { rememberResellers } from '../known-resellers.ts';
import type { Transaction } from './transaction.ts';
import { addingCounters, changingCounters, countingDays, forgettingCounters, reportingTo } from './usage-counters.ts';
import { loadUsage } from './usage-load.ts';
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
 * Makes the transaction that loads and decides a batch of usage reports and readings. It locks nothing while it loads. It
 * adds its bytes to the totals that the days have when it writes. The batch is run again in four cases: another batch
 * has counted one of its reports, or changed one of its counters; a total passes its limit; or the horizon has passed one
 * of its reports, whose name may have been forgotten meanwhile. The totals are loaded only when it is run again.
 * `clockMs` is the database's clock, as far as this process knows it.
 */
export function usageBatch(clockMs: () => number): Transaction<ArrivedReport, UsageVerdict> {
	const resellers = rememberResellers();
	const tried = new WeakSet<readonly ArrivedReport[]>();
	return async (query, arrived, nowMs) => {
		const { reports, readings } = splitUsage(arrived);
		const withTotals = tried.has(arrived);
		tried.add(arrived);
		const loaded = await loadUsage(query, reports, readings, { resellers: resellers(), withTotals });
		// Each of these parts takes milliseconds. Between them, requests get their turn.
		await setImmediate();
		const jumpMs = loaded.databaseMs - clockMs();
		const decided = decideUsage({ ...loaded, sharedNowMs: nowMs + jumpMs }, arrived, nowMs);
		const { verdicts, countedReports } = decided;
		await setImmediate();
		const counters = [changingCounters(decided.changedCounters), addingCounters(decided.changedCounters)];
		await setImmediate();
		const writes = [
			adding(countedReports, nowMs),
			...counters,
			addingToDays(decided.addedDays),
			addingToResellerDays(decided.addedResellerDays),
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
}
