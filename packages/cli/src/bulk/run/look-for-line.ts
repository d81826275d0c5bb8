import { judgeTransfer, UnknownSubUserError } from '@bursar/client';
import type { Failure } from '@bursar/terminal';
import { exitCodes } from '../../failure.ts';
import { transferDone } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { isRecorded } from '../journal/line-history.ts';
import { type LineOutcome, type LineRun, printFailed, recordDone } from './record-outcome.ts';

/**
 * Looks whether the change of a line that an earlier run began took effect. Returns and records the outcome; `undefined`
 * if the change has to be sent.
 */
export function lookForLine(run: LineRun, input: InputLine): Promise<LineOutcome | undefined> {
	if (isRecorded(run.journal.history(input.line))) return refuseWithoutIds(run, input);
	return run.change.hasAmounts ? judgeByBalance(run, input) : refuseCreateThatMayHappenLater(run, input);
}

/** The line is sent again with the id of its change, which the service never does twice. So it must know ids still. */
async function refuseWithoutIds(run: LineRun, input: InputLine): Promise<LineOutcome | undefined> {
	const { client, interrupts } = run;
	try {
		if ((await client.newChangeId({ signal: interrupts.abandon })) !== undefined) return undefined;
		const failure = unknownBecause('the service no longer shows that it records changes by their ids');
		return printFailed(run, input, { state: 'unknown', failure });
	} catch (error) {
		return printFailed(run, input, { state: 'unknown', failure: unknownBecause('looking for it failed', error) });
	}
}

/**
 * Judges a transfer by the sub-user's balance before and now. `undefined` if it did not take effect and no longer can.
 */
async function judgeByBalance(run: LineRun, input: InputLine): Promise<LineOutcome | undefined> {
	const { change, client, journal, interrupts } = run;
	const { username, amountCents } = input;
	const history = journal.history(input.line);
	let balanceCents: number;
	try {
		({ balanceCents } = await client.viewSubUser(username, { signal: interrupts.abandon }));
	} catch (error) {
		return printFailed(run, input, { state: 'unknown', failure: unknownBecause('looking for it failed', error) });
	}
	const verdict = judgeTransfer({ operation: change.operation, amountCents, ...history }, balanceCents);
	if (verdict === 'not_done') {
		if (!history.mayHappenLater) return undefined;
		return printFailed(run, input, { state: 'unknown', failure: MAY_HAPPEN_LATER });
	}
	if (verdict === 'done') {
		const done = transferDone({ username, balanceCents, confirmedBy: 'look', requestId: undefined });
		return recordDone(run, input, done);
	}
	const failure = unknownBecause('the balance was neither what it was nor what it should be');
	await journal.append({ line: input.line, state: 'unknown', code: failure.code, disturbed: true });
	return printFailed(run, input, { state: 'unknown', failure });
}

/**
 * The client itself looks before a create, and a key may be replaced twice. But while a create may take effect at any
 * time and the sub-user does not exist, it must not be paid for again.
 */
async function refuseCreateThatMayHappenLater(run: LineRun, input: InputLine): Promise<LineOutcome | undefined> {
	const { change, client, journal, interrupts } = run;
	if (change.operation !== 'create' || !journal.history(input.line).mayHappenLater) return undefined;
	try {
		await client.viewSubUser(input.username, { signal: interrupts.abandon });
		return undefined;
	} catch (error) {
		const isAbsent = error instanceof UnknownSubUserError;
		const failure = isAbsent ? MAY_HAPPEN_LATER : unknownBecause('looking for it failed', error);
		return printFailed(run, input, { state: 'unknown', failure });
	}
}

function unknownBecause(why: string, cause?: unknown): Failure {
	const message = `an earlier run began this line and did not end it, and ${why}`;
	const details = cause instanceof Error ? { cause: cause.message } : {};
	return { code: 'outcome_unknown', message, exitCode: exitCodes.outcomeUnknown, details };
}

export const MAY_HAPPEN_LATER = unknownBecause('the service itself could not learn its outcome: it may still happen');
