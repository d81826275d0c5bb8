import type { Failure } from '@bursar/terminal';
import { exitCodes, failureOf } from '../failure.ts';
import type { Change } from './changes.ts';
import { holdsBack, nextStep } from './history.ts';
import type { InputLine } from './input.ts';
import type { Journal } from './journal.ts';
import { type LineRun, type Row, runLine, type Verdict } from './line.ts';

export interface BulkRun extends Omit<LineRun, 'tell'> {
	/** Resolves once the row is written. If it rejects, no more lines are begun. */
	readonly printRow: (row: Row) => Promise<void>;
	readonly lines: readonly InputLine[];
	readonly concurrency: number;
	/** The longest time until no request of an earlier run can take effect any more. */
	readonly settleLimitMs: number;
}

/** The run stops after this many failures of the service without a success in between. */
const FAILURES_IN_A_ROW = 20;

/** The run stops after this many lost transfers in a row. It is low because no run ever sends them again. */
const LOST_TRANSFERS_IN_A_ROW = 3;

/**
 * Does the lines: those of one username in order, those of different usernames at the same time. The journal durably
 * records each request before it is sent, and its outcome after its answer.
 *
 * Returns the failure that stopped it early, if there is one: also if the journal cannot be written.
 */
export async function runBulk(run: BulkRun): Promise<Failure | undefined> {
	const { change, lines, journal, concurrency, isSoleWriter, interrupts } = run;
	const settled = lines.some(({ line }) => isOpen(journal, line)) ? awaitSettled(run) : undefined;
	let stoppedBy: Failure | undefined;
	let failuresInARow = 0;
	let lostTransfersInARow = 0;

	const isStopped = () => stoppedBy !== undefined || interrupts.stop.aborted;

	async function tell(row: Row): Promise<Failure | undefined> {
		try {
			await run.printRow(row);
			return undefined;
		} catch (error) {
			const failure = failureOf(error);
			stoppedBy ??= failure;
			return failure;
		}
	}

	async function workThrough(chain: readonly InputLine[]): Promise<void> {
		if (chain.some(({ line }) => isOpen(journal, line))) {
			const failure = await settled;
			if (failure) stoppedBy ??= failure;
		}
		for (const input of chain) {
			if (isStopped()) return;
			const history = journal.history(input.line);
			const step = nextStep(history, change.operation, isSoleWriter);
			if (step !== 'nothing') note(await runLine({ ...run, tell }, input, step));
			if (holdsBack(journal.history(input.line))) return;
		}
	}

	function note(verdict: Verdict): void {
		if (verdict.state === 'done') {
			failuresInARow = 0;
			lostTransfersInARow = 0;
			return;
		}
		const { failure } = verdict;
		const isOfService = failure.exitCode === exitCodes.failed || failure.exitCode === exitCodes.outcomeUnknown;
		failuresInARow = isOfService ? failuresInARow + 1 : 0;
		if (!isOfService) lostTransfersInARow = 0;
		else if (isLostTransfer(verdict, change)) lostTransfersInARow++;
		const isTooOften = failuresInARow >= FAILURES_IN_A_ROW || lostTransfersInARow >= LOST_TRANSFERS_IN_A_ROW;
		if (isTooOften || stopsOthers(failure, change)) stoppedBy ??= failure;
	}

	const chains = chainsOf(lines, journal).values();
	async function work(): Promise<void> {
		for (const chain of chains) {
			if (isStopped()) return;
			try {
				await workThrough(chain);
			} catch (cause) {
				// The journal could not be written, which matters more than what stopped the run before.
				stoppedBy = failureOf(cause);
			}
		}
	}

	await Promise.all(Array.from({ length: concurrency }, work));
	return stoppedBy ?? (interrupts.stop.aborted ? failureOf(interrupts.stop.reason) : undefined);
}

/** Waits until no request of an earlier run can take effect any more. Resolves with the failure if it cannot. */
function awaitSettled({ client, settleLimitMs, interrupts }: BulkRun): Promise<Failure | undefined> {
	const options = { totalTimeoutMs: settleLimitMs, signal: interrupts.stop };
	return client.awaitSettled(options).then(() => undefined, failureOf);
}

/**
 * The lines of each username, in order, but open lines first: another line would change the balance that tells their
 * outcome. Chains without an open line come first, because they need not wait.
 */
function chainsOf(lines: readonly InputLine[], journal: Journal): InputLine[][] {
	const chains = [...Map.groupBy(lines, ({ username }) => username).values()];
	for (const chain of chains) {
		chain.sort((one, other) => Number(isOpen(journal, other.line)) - Number(isOpen(journal, one.line)));
	}
	const waits = (chain: readonly InputLine[]) => chain.some(({ line }) => isOpen(journal, line));
	return [...chains.filter((chain) => !waits(chain)), ...chains.filter(waits)];
}

/** Whether an earlier run may have sent a request for the line without learning its outcome. */
function isOpen(journal: Journal, line: number): boolean {
	const { state } = journal.history(line);
	return state === 'begun' || state === 'unknown';
}

/** Whether this run sent the transfer. If a look cannot judge an earlier one, that says nothing about the next line. */
function isLostTransfer(verdict: Verdict, { hasAmounts }: Change): boolean {
	return hasAmounts && verdict.state === 'unknown' && 'known' in verdict.failure.details;
}

/** Whether the other lines would fail too. If one sub-user cannot pay a take, the next one may still pay. */
function stopsOthers({ exitCode, code }: Failure, { operation }: Change): boolean {
	if (exitCode === exitCodes.unauthorized) return true;
	return code === 'insufficient_balance' && (operation === 'create' || operation === 'give');
}
