import type { ClientEvent } from '@bursar/client';
import { exitCodes, failureOf } from '../../failure.ts';
import type { DoneChange } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { lookForLine } from './look-for-line.ts';
import { type LineOutcome, type LineRun, recordDone, recordFailed } from './record-outcome.ts';

/** Does one line, or finds out whether it was done. Rejects if the journal cannot be written. */
export async function runLine(run: LineRun, input: InputLine, step: 'send' | 'look'): Promise<LineOutcome> {
	const found = step === 'look' ? await lookForLine(run, input) : undefined;
	return found ?? sendLine(run, input);
}

async function sendLine(run: LineRun, input: InputLine): Promise<LineOutcome> {
	const { change, client, journal, isSoleWriter, interrupts } = run;
	const { line, username, amountCents } = input;
	let balanceBefore: number | undefined;
	if (change.hasAmounts && isSoleWriter) {
		try {
			balanceBefore = (await client.viewSubUser(username, { signal: interrupts.abandon })).balanceCents;
		} catch (error) {
			return recordFailed(run, input, { state: 'not_done', failure: failureOf(error) });
		}
	}
	await journal.append({
		line,
		state: 'begun',
		at: new Date().toISOString(),
		username,
		...(change.hasAmounts && { amount_usd_cents: amountCents }),
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
	const sent = await outcomeOf(change.send(client, input, { signal: interrupts.abandon, onEvent }));
	const outcome = await (sent.state === 'done' ? recordDone(run, input, sent.done) : recordFailed(run, input, sent));
	await noted;
	return outcome;
}

async function outcomeOf(sending: Promise<DoneChange>): Promise<LineOutcome> {
	try {
		return { state: 'done', done: await sending };
	} catch (error) {
		const failure = failureOf(error);
		return { state: failure.exitCode === exitCodes.outcomeUnknown ? 'unknown' : 'not_done', failure };
	}
}
