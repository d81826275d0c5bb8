import type { ClientEvent } from '@bursar/client';
import { exitCodes, failureOf } from '../../failure.ts';
import type { DoneChange } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { isInDoubt } from '../journal/line-history.ts';
import { lookForLine, MAY_HAPPEN_LATER } from './look-for-line.ts';
import { type LineOutcome, type LineRun, printFailed, recordDone, recordFailed } from './record-outcome.ts';

/** Does one line, or finds out whether it was done. Rejects if the journal cannot be written. */
export async function runLine(run: LineRun, input: InputLine, step: 'send' | 'look'): Promise<LineOutcome> {
	const found = step === 'look' ? await lookForLine(run, input) : undefined;
	return found ?? sendLine(run, input);
}

async function sendLine(run: LineRun, input: InputLine): Promise<LineOutcome> {
	const { change, client, journal, isSoleWriter, interrupts } = run;
	const { line, username, amountCents } = input;
	const signal = interrupts.abandon;
	const before = journal.history(line);
	const repeatedId = isInDoubt(before) ? before.changeId : undefined;
	let changeId = repeatedId;
	let balanceBefore: number | undefined;
	try {
		changeId ??= await client.newChangeId({ signal });
		if (changeId === undefined && change.hasAmounts && isSoleWriter) {
			balanceBefore = (await client.viewSubUser(username, { signal })).balanceCents;
		}
	} catch (error) {
		return recordFailed(run, input, { state: 'not_done', failure: failureOf(error) });
	}
	await journal.append({
		line,
		state: 'begun',
		at: new Date().toISOString(),
		username,
		...(change.hasAmounts && { amount_usd_cents: amountCents }),
		...(changeId !== undefined && { change_id: changeId }),
		...(balanceBefore !== undefined && { balance_before: balanceBefore }),
	});
	interrupts.changeBegins();
	let noted: Promise<void> | undefined;
	// Noted at once, because the process may be killed while the client looks.
	const onEvent = (event: ClientEvent) => {
		if (event.kind !== 'failure' || event.code !== 'outcome_unknown') return;
		noted ??= journal.noteMayHappenLater(line);
		noted.catch(() => {});
	};
	const options = { signal, onEvent, ...(changeId !== undefined && { changeId }) };
	const sent = await outcomeOf(change.send(client, input, options));
	const mayHappenLater = repeatedId !== undefined && before.mayHappenLater === true;
	const outcome = await recordOutcome(run, input, sent, mayHappenLater);
	await noted;
	return outcome;
}

function recordOutcome(
	run: LineRun,
	input: InputLine,
	sent: LineOutcome,
	mayHappenLater: boolean,
): Promise<LineOutcome> {
	if (sent.state === 'done') return recordDone(run, input, sent.done);
	// This failure is recorded with the id, so the earlier request can no longer take effect.
	const isFinal = sent.failure.code === 'username_taken';
	if (sent.state === 'unknown' || !mayHappenLater || isFinal) return recordFailed(run, input, sent);
	return printFailed(run, input, { state: 'unknown', failure: MAY_HAPPEN_LATER });
}

async function outcomeOf(sending: Promise<DoneChange>): Promise<LineOutcome> {
	try {
		return { state: 'done', done: await sending };
	} catch (error) {
		const failure = failureOf(error);
		return { state: failure.exitCode === exitCodes.outcomeUnknown ? 'unknown' : 'not_done', failure };
	}
}
