import type { BursarClient, FeeRange } from '@bursar/client';
import { exitCodes, type Failure, failureOf } from '../failure.ts';
import type { Interrupts } from '../interrupts.ts';
import { type Change, type Done, transferDone } from './changes.ts';
import { feeOf } from './history.ts';
import type { InputLine } from './input.ts';
import type { Journal } from './journal.ts';

export interface LineRun {
	readonly change: Change;
	readonly client: BursarClient;
	readonly journal: Journal;
	readonly isSoleWriter: boolean;
	readonly interrupts: Interrupts;
	readonly onRow: (row: Row) => void;
}

/** What came of one line in this run. */
export interface Row {
	readonly input: InputLine;
	readonly verdict: Verdict;
	/** What may have been paid for the line in all runs. */
	readonly fee: FeeRange;
}

export type Verdict =
	| { readonly state: 'done'; readonly done: Done }
	| { readonly state: 'not_done' | 'unknown'; readonly failure: Failure };

/** Does one line, or finds out what became of it. Rejects where the journal cannot be written. */
export async function runLine(run: LineRun, input: InputLine, step: 'send' | 'look'): Promise<Verdict> {
	const isTransfer = run.change.hasAmounts;
	const judged = step === 'look' && isTransfer ? await judge(run, input) : undefined;
	// Creating looks for the sub-user itself, and a key that is replaced twice is replaced.
	return judged ?? send(run, input);
}

/**
 * What became of a transfer that an earlier run had begun, by the sub-user's balance before and now;
 * `undefined` where it did not take effect and cannot any more.
 */
async function judge(run: LineRun, input: InputLine): Promise<Verdict | undefined> {
	const { change, client, journal, interrupts } = run;
	const { username, amountCents } = input;
	const before = journal.history(input.line).balanceBeforeCents ?? Number.NaN;
	const after = change.operation === 'give' ? before + amountCents : before - amountCents;
	let balanceCents: number;
	try {
		({ balanceCents } = await client.viewSubUser(username, { signal: interrupts.leave }));
	} catch (error) {
		return told(run, input, { state: 'unknown', failure: unknownBecause('looking for it failed', error) });
	}
	if (balanceCents === before) return undefined;
	if (balanceCents === after) {
		await journal.append({ line: input.line, state: 'done' });
		const done = transferDone({ username, balanceCents, confirmedBy: 'look' });
		return told(run, input, { state: 'done', done });
	}
	const failure = unknownBecause('the balance is neither what it was nor what it should be');
	await journal.append({ line: input.line, state: 'unknown', code: failure.code });
	return told(run, input, { state: 'unknown', failure });
}

function unknownBecause(why: string, cause?: unknown): Failure {
	const message = `a run that ended early had begun it, and ${why}`;
	const details = cause instanceof Error ? { cause: cause.message } : {};
	return { code: 'outcome_unknown', message, exitCode: exitCodes.outcomeUnknown, details };
}

async function send(run: LineRun, input: InputLine): Promise<Verdict> {
	const { change, client, journal, isSoleWriter, interrupts } = run;
	const { line, username } = input;
	let balanceBefore: number | undefined;
	if (change.hasAmounts && isSoleWriter) {
		try {
			balanceBefore = (await client.viewSubUser(username, { signal: interrupts.leave })).balanceCents;
		} catch (error) {
			const verdict: Verdict = { state: 'not_done', failure: failureOf(error) };
			await record(run, input, verdict);
			return verdict;
		}
	}
	const witness = balanceBefore === undefined ? {} : { balance_before: balanceBefore };
	await journal.append({ line, state: 'begun', at: new Date().toISOString(), ...witness });
	const verdict = await change
		.send(client, input, interrupts.leave)
		.then((done): Verdict => ({ state: 'done', done }), verdictOf);
	await record(run, input, verdict);
	return verdict;
}

function verdictOf(error: unknown): Verdict {
	const failure = failureOf(error);
	return { state: failure.exitCode === exitCodes.outcomeUnknown ? 'unknown' : 'not_done', failure };
}

/** What is known is told also where the journal cannot take it any more. */
async function record(run: LineRun, input: InputLine, verdict: Verdict): Promise<void> {
	const entry = { line: input.line, state: verdict.state, ...paid(verdict, run.change) };
	try {
		// What was left in the middle stays begun, as after a crash: the next run looks what became of it.
		if (verdict.state !== 'unknown' || !run.interrupts.leave.aborted) await run.journal.append(entry);
	} finally {
		told(run, input, verdict);
	}
}

function paid(verdict: Verdict, { operation }: Change) {
	const code = verdict.state === 'done' ? {} : { code: verdict.failure.code };
	if (operation !== 'create') return code;
	if (verdict.state !== 'done') return { ...code, ...('fee' in verdict.failure.details && { fee: feeIn(verdict) }) };
	const { minCents, maxCents } = verdict.done.fee;
	return { fee: { min_cents: minCents, max_cents: maxCents } };
}

function feeIn(verdict: Exclude<Verdict, { state: 'done' }>) {
	return verdict.failure.details.fee as { min_cents: number; max_cents: number };
}

function told(run: LineRun, input: InputLine, verdict: Verdict): Verdict {
	const fee = feeOf(run.journal.history(input.line), run.change.operation);
	run.onRow({ input, verdict, fee });
	return verdict;
}
