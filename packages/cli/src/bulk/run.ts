import { setTimeout } from 'node:timers/promises';
import { exitCodes, type Failure, failureOf } from '../failure.ts';
import type { Change } from './changes.ts';
import { holdsBack, nextStep } from './history.ts';
import type { InputLine } from './input.ts';
import type { Journal } from './journal.ts';
import { type LineRun, runLine, type Verdict } from './line.ts';

export interface BulkRun extends LineRun {
	readonly lines: readonly InputLine[];
	readonly concurrency: number;
	/** How long a request of the run before this one may still take effect, from now. */
	readonly settleMs: number;
}

/** A service that fails this often without a success between is left alone. */
const FAILURES_IN_A_ROW = 20;

/**
 * Works through the lines: those of one username one after the other, others side by side. Before a
 * request is sent, the journal durably says so; after its answer, what came of it.
 *
 * Returns what stopped it early, if anything did. Rejects where the journal cannot be written: then
 * nothing more was begun.
 */
export async function runBulk(run: BulkRun): Promise<Failure | undefined> {
	const { change, lines, journal, concurrency, isSoleWriter, interrupts } = run;
	const settledAtMs = performance.now() + run.settleMs;
	let stoppedBy: Failure | undefined;
	let fault: { readonly cause: unknown } | undefined;
	let failuresInARow = 0;

	const isStopped = () => stoppedBy !== undefined || fault !== undefined || interrupts.stop.aborted;

	async function workThrough(chain: readonly InputLine[]): Promise<void> {
		if (chain.some(({ line }) => isOpen(journal, line))) {
			const leftMs = Math.max(0, settledAtMs - performance.now());
			await setTimeout(leftMs, undefined, { signal: interrupts.stop }).catch(() => {});
		}
		for (const input of chain) {
			if (isStopped()) return;
			const history = journal.history(input.line);
			const step = nextStep(history, change.operation, isSoleWriter);
			if (step !== 'nothing') note(await runLine(run, input, step));
			if (holdsBack(journal.history(input.line))) return;
		}
	}

	function note(verdict: Verdict): void {
		if (verdict.state === 'done') {
			failuresInARow = 0;
			return;
		}
		const { failure } = verdict;
		const isOfService = failure.exitCode === exitCodes.failed || failure.exitCode === exitCodes.outcomeUnknown;
		failuresInARow = isOfService ? failuresInARow + 1 : 0;
		if (failuresInARow >= FAILURES_IN_A_ROW || stopsOthers(failure, change)) stoppedBy ??= failure;
	}

	const chains = chainsOf(lines, journal).values();
	async function work(): Promise<void> {
		for (const chain of chains) {
			if (isStopped()) return;
			try {
				await workThrough(chain);
			} catch (cause) {
				fault ??= { cause };
			}
		}
	}

	await Promise.all(Array.from({ length: concurrency }, work));
	if (fault) throw fault.cause;
	return stoppedBy ?? (interrupts.stop.aborted ? failureOf(interrupts.stop.reason) : undefined);
}

/** All lines of a username, in their order; first those that need not wait for requests of an earlier run. */
function chainsOf(lines: readonly InputLine[], journal: Journal): InputLine[][] {
	const chains = [...Map.groupBy(lines, ({ username }) => username).values()];
	const waits = (chain: readonly InputLine[]) => chain.some(({ line }) => isOpen(journal, line));
	return [...chains.filter((chain) => !waits(chain)), ...chains.filter(waits)];
}

/** Whether a request for it may have been sent by a run that has not learned what came of it. */
function isOpen(journal: Journal, line: number): boolean {
	const { state } = journal.history(line);
	return state === 'begun' || state === 'unknown';
}

/** Whether the other lines would fail alike. What a sub-user cannot pay says nothing of the next one. */
function stopsOthers({ exitCode, code }: Failure, { operation }: Change): boolean {
	if (exitCode === exitCodes.unauthorized) return true;
	return code === 'insufficient_balance' && (operation === 'create' || operation === 'give');
}
