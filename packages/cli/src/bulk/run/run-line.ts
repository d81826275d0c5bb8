import { type ClientEvent, newChangeId } from '@bursar/client';
import { exitCodes, failureOf } from '../../failure.ts';
import type { Change, DoneChange } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import type { BegunChange } from '../journal/line-history.ts';
import { type LineOutcome, type LineRun, printFailed, recordDone, recordFailed } from './record-outcome.ts';

/**
 * Does one line. If an earlier run has left it in doubt, it is sent again with the id of its change: the service does it
 * only once, and tells what it did. Rejects if the journal cannot be written.
 */
export async function runLine(run: LineRun, input: InputLine): Promise<LineOutcome> {
	const { state, begun } = run.journal.history(input.line);
	const inDoubt = state === 'begun' ? begun : undefined;
	if (inDoubt === undefined) return sendLine(run, input, newChangeId());
	try {
		// For an id that was never sent, this rejects if the service does not honour ids. Then it would do the line twice.
		await run.client.changes.retrieve(newChangeId(), { signal: run.interrupts.abandon });
	} catch (error) {
		return printFailed(run, input, { state: 'unknown', failure: failureOf(error) });
	}
	return sendLine(run, input, inDoubt.changeId, inDoubt);
}

async function sendLine(run: LineRun, input: InputLine, changeId: string, inDoubt?: BegunChange): Promise<LineOutcome> {
	const { change, client, journal, interrupts } = run;
	const { line, username, amountCents } = input;
	await journal.append({
		line,
		state: 'begun',
		at: new Date().toISOString(),
		change_id: changeId,
		username,
		...(change.hasAmounts && { amount_usd_cents: amountCents }),
	});
	interrupts.changeBegins();
	let noted: Promise<void> | undefined;
	// Noted at once, because the process may be killed while the client looks.
	const onEvent = (event: ClientEvent) => {
		if (event.kind !== 'failure' || event.code !== 'outcome_unknown') return;
		noted ??= journal.noteMayHappenLater(line);
		noted.catch(() => {});
	};
	const sent = await outcomeOf(change.send(client, input, { signal: interrupts.abandon, onEvent, changeId }));
	const certain = inDoubt !== undefined && isOpen(change, sent) ? await settle(run, input, sent, inDoubt) : sent;
	const outcome =
		certain.state === 'done' ? await recordDone(run, input, certain.done) : await recordFailed(run, input, certain);
	await noted;
	return outcome;
}

/** Whether the outcome may still change if a request of an earlier run arrives. */
function isOpen({ operation }: Change, sent: LineOutcome): boolean {
	// The sub-user was created in another way. The earlier request would cost its fee, because the name is taken.
	if (sent.state === 'done') return operation === 'create' && sent.done.fee.maxCents === 0;
	return sent.state === 'not_done';
}

/** The outcome of such a line, once no request of an earlier run can arrive any more. */
async function settle(
	{ change, client, interrupts }: LineRun,
	input: InputLine,
	sent: LineOutcome,
	{ changeId, mayHappenLater }: BegunChange,
): Promise<LineOutcome> {
	// A service that does not answer could not tell it either.
	if (sent.state !== 'done' && sent.failure.exitCode === exitCodes.failed) return { ...sent, state: 'unknown' };
	const { operation, hasAmounts } = change;
	const { username, amountCents } = input;
	const known = { operation, username, changeId, mayHappenLater, ...(hasAmounts && { amountCents }) };
	const signal = interrupts.abandon;
	try {
		const recorded = await client.changes.settle(known, { signal });
		if (recorded === undefined) return sent;
		const found = await outcomeOf(change.send(client, input, { signal, changeId }));
		const isLost = found.state === 'not_done' && recorded.error === undefined;
		return isLost ? { state: 'unknown', failure: found.failure } : found;
	} catch (error) {
		return { state: 'unknown', failure: failureOf(error) };
	}
}

async function outcomeOf(sending: Promise<DoneChange>): Promise<LineOutcome> {
	try {
		return { state: 'done', done: await sending };
	} catch (error) {
		const failure = failureOf(error);
		return { state: failure.exitCode === exitCodes.outcomeUnknown ? 'unknown' : 'not_done', failure };
	}
}
