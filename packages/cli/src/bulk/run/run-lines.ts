import { endsBulk, runBulk } from '@bursar/contract/bulk-run';
import type { Failure } from '@bursar/terminal';
import { exitCodes, failureOf } from '../../failure.ts';
import { awaitSettled } from '../../session.ts';
import type { Change } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { delaysLaterLines, isInDoubt, nextStep } from '../journal/line-history.ts';
import type { LineOutcome, LineResult, LineRun } from './record-outcome.ts';
import { runLine } from './run-line.ts';

export interface BulkRun extends Omit<LineRun, 'print'> {
	/** Resolves once the result is printed. If it rejects, no more lines are begun. */
	readonly printResult: (result: LineResult) => Promise<void>;
	readonly lines: readonly InputLine[];
	readonly concurrency: number;
	/** The longest time until no request of an earlier run can take effect any more. */
	readonly settleLimitMs: number;
}

/** The run stops after this many failures of the service without a success in between. */
const FAILURES_IN_A_ROW = 20;

/**
 * The run stops after this many lost transfers in a row. It is low because no run ever sends them again. If the service
 * records them by their ids, the next run does.
 */
const LOST_TRANSFERS_IN_A_ROW = 3;

/**
 * Does the lines: those of one username in order, those of different usernames at the same time. The journal durably
 * records each request before it is sent, and its outcome after its answer.
 *
 * Returns the failure that stopped it early, if there is one: also if the journal cannot be written.
 */
export async function runLines(run: BulkRun): Promise<Failure | undefined> {
	const { change, lines, journal, concurrency, isSoleWriter, interrupts } = run;
	const isLineInDoubt = ({ line }: InputLine) => isInDoubt(journal.history(line));
	/** The usernames of these lines. */
	const inDoubt = new Set(lines.filter(isLineInDoubt).map(({ username }) => username));
	/** Resolves with the failure if it cannot be waited for. */
	const settled = inDoubt.size > 0 ? awaitSettled(run).then(() => undefined, failureOf) : undefined;
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
			if (inDoubt.has(input.username)) {
				const failure = await settled;
				stoppedBy ??= failure;
				if (isStopped()) return false;
			}
			const step = nextStep(journal.history(input.line), change.operation, isSoleWriter);
			if (step !== 'nothing') {
				const reason = reasonToStopAfter(await runLine({ ...run, print }, input, step));
				stoppedBy ??= reason;
			}
			return !delaysLaterLines(journal.history(input.line));
		} catch (cause) {
			// The journal could not be written, which matters more than what stopped the run before.
			stoppedBy = failureOf(cause);
			return false;
		}
	}

	// Sub-users with a line in doubt come last, because they wait. Of their lines the one in doubt comes first: another one
	// would change the balance that tells its outcome.
	const waitsLonger = (input: InputLine) =>
		2 * Number(inDoubt.has(input.username)) + Number(inDoubt.has(input.username) && !isLineInDoubt(input));
	const inOrder = lines.toSorted((one, other) => waitsLonger(one) - waitsLonger(other));
	await runBulk(inOrder, { concurrency, doLine, isStopped });
	return stoppedBy ?? (interrupts.stop.aborted ? failureOf(interrupts.stop.reason) : undefined);
}

/** Returns a function that gets the outcome of each line, and returns the failure if no more lines may be begun. */
function stopRule(change: Change): (outcome: LineOutcome) => Failure | undefined {
	let failuresInARow = 0;
	let lostTransfersInARow = 0;
	return (outcome) => {
		if (outcome.state === 'done') {
			failuresInARow = 0;
			lostTransfersInARow = 0;
			return undefined;
		}
		const { failure } = outcome;
		const isOfService = failure.exitCode === exitCodes.failed || failure.exitCode === exitCodes.outcomeUnknown;
		failuresInARow = isOfService ? failuresInARow + 1 : 0;
		if (!isOfService) lostTransfersInARow = 0;
		else if (isLostTransfer(outcome, change)) lostTransfersInARow++;
		const isForAll = failure.exitCode === exitCodes.unauthorized || endsBulk(change.operation, failure.code);
		const isTooOften = failuresInARow >= FAILURES_IN_A_ROW || lostTransfersInARow >= LOST_TRANSFERS_IN_A_ROW;
		return isTooOften || isForAll ? failure : undefined;
	};
}

/** Whether this run sent the transfer. If a look cannot judge an earlier one, that says nothing about the next line. */
function isLostTransfer(outcome: LineOutcome, { hasAmounts }: Change): boolean {
	if (!hasAmounts || outcome.state !== 'unknown') return false;
	const { known } = outcome.failure.details as { known?: { change_id?: string } };
	return known !== undefined && known.change_id === undefined;
}
