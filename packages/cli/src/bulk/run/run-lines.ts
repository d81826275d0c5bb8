import { endsBulk, runBulk } from '@bursar/contract/bulk-run';
import type { Failure } from '@bursar/terminal';
import { exitCodes, failureOf } from '../../failure.ts';
import type { Change } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import type { LineOutcome, LineResult, LineRun } from './record-outcome.ts';
import { runLine } from './run-line.ts';

export interface BulkRun extends Omit<LineRun, 'print'> {
	/** Resolves once the result is printed. If it rejects, no more lines are begun. */
	readonly printResult: (result: LineResult) => Promise<void>;
	readonly lines: readonly InputLine[];
	readonly concurrency: number;
}

/** @bound Failures of the service without a success in between: the run stops. */
const FAILURES_IN_A_ROW = 20;

/**
 * Does the lines: those of one username in order, those of different usernames at the same time. The journal durably
 * records each request before it is sent, and its outcome after its answer.
 *
 * Returns the failure that stopped it early, if there is one: also if the journal cannot be written.
 */
export async function runLines(run: BulkRun): Promise<Failure | undefined> {
	const { change, lines, concurrency, interrupts } = run;
	const reasonToStopAfter = stopRule(change);
	let stoppedBy: Failure | undefined;

	const isStopped = () => stoppedBy !== undefined || interrupts.stop.aborted;

	async function print(result: LineResult): Promise<Failure | undefined> {
		try {
			await run.printResult(result);
			return undefined;
		} catch (error) {
			const failure = failureOf(error);
			stoppedBy ??= failure;
			return failure;
		}
	}

	async function doLine(input: InputLine): Promise<boolean> {
		try {
			const outcome = await runLine({ ...run, print }, input);
			if (outcome !== undefined) stoppedBy ??= reasonToStopAfter(outcome);
		} catch (cause) {
			// The journal could not be written, which matters more than what stopped the run before.
			stoppedBy = failureOf(cause);
		}
		return !isStopped();
	}

	await runBulk(lines, { concurrency, doLine, isStopped });
	return stoppedBy ?? (interrupts.stop.aborted ? failureOf(interrupts.stop.reason) : undefined);
}

/** Returns a function that gets the outcome of each line, and returns the failure if no more lines may be begun. */
function stopRule(change: Change): (outcome: LineOutcome) => Failure | undefined {
	let failuresInARow = 0;
	return (outcome) => {
		if (outcome.state === 'done') {
			failuresInARow = 0;
			return undefined;
		}
		const { failure } = outcome;
		const isOfService = failure.exitCode === exitCodes.failed || failure.exitCode === exitCodes.outcomeUnknown;
		failuresInARow = isOfService ? failuresInARow + 1 : 0;
		const isForAll = failure.exitCode === exitCodes.unauthorized || endsBulk(change.operation, failure.code);
		return failuresInARow >= FAILURES_IN_A_ROW || isForAll ? failure : undefined;
	};
}
