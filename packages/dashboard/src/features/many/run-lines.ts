import { runBulk } from '@bursar/contract/bulk-run';
import type { CallCode } from '../../calls/call.ts';
import { endsRun, isLeft, type Outcome, outcomeAfter, type Run, type RunLine } from './run.ts';

/** @bound Lines of a run that are under way at once: the rest waits. */
const CONCURRENCY = 4;
/**
 * After so many lines in a row that were neither done nor refused, the service seems to be away.
 * @bound Lines in a row without an answer: the run stops.
 */
const MOST_FAILURES = 5;

/** Why a run stopped before its end. */
export type StopReason = 'asked' | 'away' | CallCode;

interface Running {
	/** Sends a line. Returns why it failed; `undefined` if it was done. */
	readonly send: (line: RunLine) => Promise<CallCode | undefined>;
	/** Called with what became of the line with this index. */
	readonly onOutcome: (index: number, outcome: Outcome) => void;
	/** No further lines are begun then. */
	readonly signal: AbortSignal;
}

/** Sends what is left of a run. Returns why it stopped before its end, if it did. */
export async function runLines(run: Run, { send, onOutcome, signal }: Running): Promise<StopReason | undefined> {
	const left = run.lines.map((line, index) => ({ ...line, index })).filter(isLeft);
	let failures = 0;
	let stopped: StopReason | undefined;

	async function doLine({ index, ...line }: RunLine & { readonly index: number }): Promise<boolean> {
		const code = await send(line);
		const outcome = outcomeAfter(line.outcome, run.operation, code);
		onOutcome(index, outcome);
		if (endsRun(run.operation, code)) stopped ??= code;
		failures = outcome.state === 'done' || outcome.state === 'refused' ? 0 : failures + 1;
		if (failures >= MOST_FAILURES) stopped ??= 'away';
		// A later line of the same sub-user must not overtake this one.
		return !isLeft({ ...line, outcome });
	}
	function isStopped(): boolean {
		if (signal.aborted) stopped ??= 'asked';
		return stopped !== undefined;
	}
	await runBulk(left, { concurrency: CONCURRENCY, doLine, isStopped });
	return stopped;
}
