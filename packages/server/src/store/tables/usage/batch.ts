import { decideUsage, splitUsage } from '../../../commands/usage/count.ts';
import type { ArrivedReport, UsageVerdict } from '../../../domain/usage.ts';
import type { ReadingSteps, RowsWrite } from '../../statement.ts';
import { rememberResellers } from './known-resellers.ts';
import { loadUsage } from './load.ts';
import { type UsageEngine, usageWrites } from './writes.ts';

interface UsageWork {
	readonly verdicts: readonly UsageVerdict[];
	/** The accounts whose bandwidth was counted, and those of them whose bandwidth costs more now. */
	readonly used: readonly string[];
	readonly metered: readonly string[];
	/** In the order in which all processes write, so that there are no deadlocks. */
	readonly writes: readonly RowsWrite[];
}

/**
 * Makes the steps of batches. A batch adds its bytes to the totals that the days have when it writes. If a total would
 * pass its limit, the transaction fails. If the engine runs the same batch again, it loads the totals first, so that only
 * the reports that do not fit are refused. `sharedNowMs` is the clock by which days with readings are counted. It is
 * looked at after the first rows have come.
 */
export function createUsageBatches(engine: UsageEngine) {
	const resellers = rememberResellers();
	const tried = new WeakSet<readonly ArrivedReport[]>();

	return function* steps(
		arrived: readonly ArrivedReport[],
		nowMs: number,
		sharedNowMs = () => nowMs,
	): ReadingSteps<UsageWork> {
		const withTotals = tried.has(arrived);
		tried.add(arrived);
		const { reports, readings } = splitUsage(arrived);
		const loaded = yield* loadUsage(reports, readings, { resellers: resellers(), withTotals });
		const decided = decideUsage({ ...loaded, sharedNowMs: sharedNowMs() }, arrived, nowMs);
		// To decide and to prepare what is written each takes milliseconds.
		yield [];
		const counts = { arrived: arrived.length, readings: readings.length };
		const metered = decided.addedMeters.map(({ username }) => username);
		const used = [...new Set(decided.addedDays.map(({ username }) => username))];
		return { verdicts: decided.verdicts, used, metered, writes: usageWrites(engine, decided, loaded, counts, nowMs) };
	};
}
