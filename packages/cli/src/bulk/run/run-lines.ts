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
	/** Resolves with the failure if it cannot be waited for. */
	const settled = lines.some(isLineInDoubt) ? awaitSettled(run).then(() => undefined, failureOf) : undefined;
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

	async function runUsername(ofOneUsername: readonly InputLine[]): Promise<void> {
		if (ofOneUsername.some(isLineInDoubt)) {
			const failure = await settled;
			stoppedBy ??= failure;
		}
		for (const input of ofOneUsername) {
			if (isStopped()) return;
			const step = nextStep(journal.history(input.line), change.operation, isSoleWriter);
			if (step !== 'nothing') {
				const reason = reasonToStopAfter(await runLine({ ...run, print }, input, step));
				stoppedBy ??= reason;
			}
			if (delaysLaterLines(journal.history(input.line))) return;
		}
	}

	const usernames = groupByUsername(lines, isLineInDoubt).values();
	async function work(): Promise<void> {
		for (const ofOneUsername of usernames) {
			if (isStopped()) return;
			try {
				await runUsername(ofOneUsername);
			} catch (cause) {
				// The journal could not be written, which matters more than what stopped the run before.
				stoppedBy = failureOf(cause);
			}
		}
	}

	await Promise.all(Array.from({ length: concurrency }, work));
	return stoppedBy ?? (interrupts.stop.aborted ? failureOf(interrupts.stop.reason) : undefined);
}

/**
 * The lines of each username, in order, but lines in doubt first: another line would change the balance that tells their
 * outcome. Usernames without a line in doubt come first, because they need not wait.
 */
function groupByUsername(
	lines: readonly InputLine[],
	isLineInDoubt: (line: InputLine) => boolean,
): (readonly InputLine[])[] {
	const groups = [...Map.groupBy(lines, ({ username }) => username).values()];
	for (const group of groups) group.sort((one, other) => Number(isLineInDoubt(other)) - Number(isLineInDoubt(one)));
	const waits = (group: readonly InputLine[]) => group.some(isLineInDoubt);
	return [...groups.filter((group) => !waits(group)), ...groups.filter(waits)];
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
		const isTooOften = failuresInARow >= FAILURES_IN_A_ROW || lostTransfersInARow >= LOST_TRANSFERS_IN_A_ROW;
		return isTooOften || stopsOthers(failure, change) ? failure : undefined;
	};
}

/** Whether this run sent the transfer. If a look cannot judge an earlier one, that says nothing about the next line. */
function isLostTransfer(outcome: LineOutcome, { hasAmounts }: Change): boolean {
	if (!hasAmounts || outcome.state !== 'unknown') return false;
	const { known } = outcome.failure.details as { known?: { change_id?: string } };
	return known !== undefined && known.change_id === undefined;
}

/** Whether the other lines would fail too. If one sub-user cannot pay a take, the next one may still pay. */
function stopsOthers({ exitCode, code }: Failure, { operation }: Change): boolean {
	// The limits are the same for all lines.
	if (exitCode === exitCodes.unauthorized || code === 'suspended' || code === 'invalid_limits') return true;
	return code === 'insufficient_balance' && (operation === 'create' || operation === 'give');
}
