import type { Bursar, FeeRange } from '@bursar/client';
import type { Failure } from '@bursar/terminal';
import type { Interrupts } from '../../interrupts.ts';
import { type FeeFields, feeFields } from '../../output/fields.ts';
import type { CallPatience } from '../../session.ts';
import type { Change, DoneChange } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { feeOf, type JournalEntry, withEntry } from '../journal/line-history.ts';
import type { Journal } from '../journal/open-journal.ts';

/** What running a line needs. */
export interface LineRun {
	readonly change: Change;
	readonly client: Bursar;
	readonly journal: Journal;
	readonly interrupts: Interrupts;
	readonly patience: CallPatience;
	/** Prints the result of a line. Resolves with the failure if it could not be printed. */
	readonly print: (result: LineResult) => Promise<Failure | undefined>;
}

/** The result of one line in this run. */
export interface LineResult {
	readonly input: InputLine;
	readonly outcome: LineOutcome;
	/** What may have been paid for the line in all runs. */
	readonly fee: FeeRange;
}

export type LineOutcome = { readonly state: 'done'; readonly done: DoneChange } | FailedOutcome;

export interface FailedOutcome {
	readonly state: 'not_done' | 'unknown';
	readonly failure: Failure;
}

/**
 * Prints the result before it writes the journal. If a proxy auth key could not be printed, its line stays begun: the next
 * run finds the change by its id, and prints the key. Any other line is done either way, because its result holds no secret.
 */
export async function recordDone(run: LineRun, input: InputLine, done: DoneChange): Promise<LineOutcome> {
	const { change, journal } = run;
	const { line } = input;
	const fee = change.paysFee ? { fee: feeFields(done.fee) } : {};
	const entry: JournalEntry = { line, state: 'done', ...fee };
	const feeOfAllRuns = feeOf(withEntry(journal.history(line), entry), change);
	const outcome: LineOutcome = { state: 'done', done };
	const unprinted = await run.print({ input, outcome, fee: feeOfAllRuns });
	if (unprinted !== undefined && change.printsKeys) return { state: 'unknown', failure: unprinted };
	await journal.append(entry);
	return outcome;
}

/**
 * Writes the journal before it prints the result, which holds no secret: a fee must not be paid twice. A line whose outcome is
 * unknown stays `begun`, as after a crash.
 */
export async function recordFailed(run: LineRun, input: InputLine, outcome: FailedOutcome): Promise<LineOutcome> {
	const { code, details } = outcome.failure;
	const fee = run.change.paysFee && 'fee' in details ? { fee: details.fee as FeeFields } : {};
	try {
		if (outcome.state === 'not_done') {
			await run.journal.append({ line: input.line, state: 'not_done', code, ...fee });
		}
		return outcome;
	} finally {
		// The result is printed even if the journal cannot be written.
		await printFailed(run, input, outcome);
	}
}

/** Prints a failure that the journal has already, or need not have. */
export async function printFailed(run: LineRun, input: InputLine, outcome: FailedOutcome): Promise<LineOutcome> {
	const fee = feeOf(run.journal.history(input.line), run.change);
	await run.print({ input, outcome, fee });
	return outcome;
}
