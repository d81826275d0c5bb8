import { type BursarClient, type ClientEvent, type FeeRange, judgeTransfer, UnknownSubUserError } from '@bursar/client';
import type { Failure } from '@bursar/terminal';
import { exitCodes, failureOf } from '../failure.ts';
import type { Interrupts } from '../interrupts.ts';
import { type FeeFields, feeFields } from '../output/fields.ts';
import { type Change, type Done, transferDone } from './changes.ts';
import { feeOf, type JournalEntry, withEntry } from './history.ts';
import type { InputLine } from './input.ts';
import type { Journal } from './journal.ts';

export interface LineRun {
	readonly change: Change;
	readonly client: BursarClient;
	readonly journal: Journal;
	readonly isSoleWriter: boolean;
	readonly interrupts: Interrupts;
	/** Prints the row. Resolves with the failure if it could not be printed. */
	readonly tell: (row: Row) => Promise<Failure | undefined>;
}

/** The result of one line in this run. */
export interface Row {
	readonly input: InputLine;
	readonly verdict: Verdict;
	/** What may have been paid for the line in all runs. */
	readonly fee: FeeRange;
}

export type Verdict = { readonly state: 'done'; readonly done: Done } | FailedVerdict;

interface FailedVerdict {
	readonly state: 'not_done' | 'unknown';
	readonly failure: Failure;
}

/** Does one line, or finds out whether it was done. Rejects if the journal cannot be written. */
export async function runLine(run: LineRun, input: InputLine, step: 'send' | 'look'): Promise<Verdict> {
	if (step === 'look') {
		const judged = run.change.hasAmounts ? await judge(run, input) : await refuseWhatMayHappenLater(run, input);
		if (judged) return judged;
	}
	return send(run, input);
}

/**
 * The client itself looks before a create, and a key may be replaced twice. But while a create may take effect at any
 * time and the sub-user does not exist, it must not be paid for again.
 */
async function refuseWhatMayHappenLater(run: LineRun, input: InputLine): Promise<Verdict | undefined> {
	const { change, client, journal, interrupts } = run;
	if (change.operation !== 'create' || !journal.history(input.line).mayHappenLater) return undefined;
	try {
		await client.viewSubUser(input.username, { signal: interrupts.leave });
		return undefined;
	} catch (error) {
		const isAbsent = error instanceof UnknownSubUserError;
		const failure = isAbsent ? STILL_OPEN : unknownBecause('looking for it failed', error);
		return tellFailed(run, input, { state: 'unknown', failure });
	}
}

/**
 * Judges a transfer that an earlier run began, by the sub-user's balance before and now. `undefined` if it did not take
 * effect and no longer can.
 */
async function judge(run: LineRun, input: InputLine): Promise<Verdict | undefined> {
	const { change, client, journal, interrupts } = run;
	const { username, amountCents } = input;
	const history = journal.history(input.line);
	let balanceCents: number;
	try {
		({ balanceCents } = await client.viewSubUser(username, { signal: interrupts.leave }));
	} catch (error) {
		return tellFailed(run, input, { state: 'unknown', failure: unknownBecause('looking for it failed', error) });
	}
	const verdict = judgeTransfer({ operation: change.operation, amountCents, ...history }, balanceCents);
	if (verdict === 'not_done') {
		if (!history.mayHappenLater) return undefined;
		return tellFailed(run, input, { state: 'unknown', failure: STILL_OPEN });
	}
	if (verdict === 'done') {
		const done = transferDone({ username, balanceCents, confirmedBy: 'look', requestId: undefined });
		return recordDone(run, input, done);
	}
	const failure = unknownBecause('the balance was neither what it was nor what it should be');
	await journal.append({ line: input.line, state: 'unknown', code: failure.code, disturbed: true });
	return tellFailed(run, input, { state: 'unknown', failure });
}

function unknownBecause(why: string, cause?: unknown): Failure {
	const message = `an earlier run began this line and did not end it, and ${why}`;
	const details = cause instanceof Error ? { cause: cause.message } : {};
	return { code: 'outcome_unknown', message, exitCode: exitCodes.outcomeUnknown, details };
}

const STILL_OPEN = unknownBecause('the service itself could not learn its outcome: it may still happen');

async function send(run: LineRun, input: InputLine): Promise<Verdict> {
	const { change, client, journal, isSoleWriter, interrupts } = run;
	const { line, username, amountCents } = input;
	let balanceBefore: number | undefined;
	if (change.hasAmounts && isSoleWriter) {
		try {
			balanceBefore = (await client.viewSubUser(username, { signal: interrupts.leave })).balanceCents;
		} catch (error) {
			return recordFailed(run, input, { state: 'not_done', failure: failureOf(error) });
		}
	}
	const amount = change.hasAmounts ? { amount_usd_cents: amountCents } : {};
	const witness = balanceBefore === undefined ? {} : { balance_before: balanceBefore };
	await journal.append({ line, state: 'begun', at: new Date().toISOString(), username, ...amount, ...witness });
	interrupts.changeBegins();
	let noted: Promise<void> | undefined;
	// Noted at once, because the process may be killed while the client looks.
	const onEvent = (event: ClientEvent) => {
		if (event.kind !== 'failure' || event.code !== 'outcome_unknown') return;
		noted ??= journal.noteMayHappenLater(line);
		noted.catch(() => {});
	};
	let verdict: Verdict;
	try {
		const done = await change.send(client, input, { signal: interrupts.leave, onEvent });
		verdict = { state: 'done', done };
	} catch (error) {
		const failure = failureOf(error);
		verdict = { state: failure.exitCode === exitCodes.outcomeUnknown ? 'unknown' : 'not_done', failure };
	}
	verdict = await (verdict.state === 'done' ? recordDone(run, input, verdict.done) : recordFailed(run, input, verdict));
	await noted;
	return verdict;
}

/**
 * Prints the row before it writes the journal: a proxy auth key that was not printed must not count as done. A transfer
 * is done even if its row could not be printed: the row holds no secret, and the transfer must never be sent again.
 */
async function recordDone(run: LineRun, input: InputLine, done: Done): Promise<Verdict> {
	const { change, journal } = run;
	const { line } = input;
	const fee = change.operation === 'create' ? { fee: feeFields(done.fee) } : {};
	const entry: JournalEntry = { line, state: 'done', ...fee };
	const feeOfAllRuns = feeOf(withEntry(journal.history(line), entry, change.operation), change.operation);
	const verdict: Verdict = { state: 'done', done };
	const untold = await run.tell({ input, verdict, fee: feeOfAllRuns });
	if (untold === undefined || change.hasAmounts) {
		await journal.append(entry);
		return verdict;
	}
	await journal.append({ line, state: 'not_done', code: untold.code, ...fee });
	return { state: 'not_done', failure: untold };
}

/** Writes the journal before it prints the row: the row holds no secret, and a fee must not be paid twice. */
async function recordFailed(run: LineRun, input: InputLine, verdict: FailedVerdict): Promise<Verdict> {
	const { code, details } = verdict.failure;
	const fee = run.change.operation === 'create' && 'fee' in details ? { fee: details.fee as FeeFields } : {};
	const facts = {
		...('may_happen_later' in details && ({ may_happen_later: true } as const)),
		...('disturbed' in details && ({ disturbed: true } as const)),
	};
	try {
		// An abandoned line stays `begun`, as after a crash, unless more is known of it. The next run looks.
		if (verdict.state !== 'unknown' || !run.interrupts.leave.aborted || Object.keys(facts).length > 0) {
			await run.journal.append({ line: input.line, state: verdict.state, code, ...fee, ...facts });
		}
		return verdict;
	} finally {
		// The result is printed even if the journal cannot be written.
		await tellFailed(run, input, verdict);
	}
}

async function tellFailed(run: LineRun, input: InputLine, verdict: FailedVerdict): Promise<Verdict> {
	const fee = feeOf(run.journal.history(input.line), run.change.operation);
	await run.tell({ input, verdict, fee });
	return verdict;
}
