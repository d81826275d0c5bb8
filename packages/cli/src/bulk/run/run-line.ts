import { type ClientEvent, newChangeId } from '@bursar/client';
import { exitCodes, failureOf } from '../../failure.ts';
import { type Change, contentFields, type DoneChange } from '../changes.ts';
import type { InputLine } from '../input/read-input.ts';
import { type BegunChange, isPending, knownOf, latestExpiry } from '../journal/line-history.ts';
import { type LineOutcome, type LineRun, printFailed, recordDone, recordFailed } from './record-outcome.ts';

/**
 * Does one line. If an earlier run has left it in doubt, it is sent again with the id of its change: the service does it
 * only once, and tells what it did. Returns `undefined` if there is nothing to do: the line has ended, or the service may
 * have forgotten the id. Rejects if the journal cannot be written.
 */
export async function runLine(run: LineRun, input: InputLine): Promise<LineOutcome | undefined> {
	const { client, journal, interrupts } = run;
	const history = journal.history(input.line);
	const inDoubt = history.state === 'begun' ? history.begun : undefined;
	if (inDoubt !== undefined) {
		try {
			// For an id that was never sent, this rejects if the service does not honour ids. Then it would do the line twice.
			await client.changes.retrieve(newChangeId(), { signal: interrupts.abandon });
		} catch (error) {
			return printFailed(run, input, { state: 'unknown', failure: failureOf(error) });
		}
	}
	if (!isPending(history, client.serviceTime())) return undefined;
	return sendLine(run, input, inDoubt?.changeId ?? newChangeId(), inDoubt);
}

async function sendLine(run: LineRun, input: InputLine, changeId: string, inDoubt?: BegunChange): Promise<LineOutcome> {
	const { change, client, journal, interrupts, patience } = run;
	const { line, ...content } = input;
	const serviceTime = client.serviceTime();
	if (serviceTime === undefined) throw new Error('no answer of the service has told its time, so nothing was sent');
	const endsAtMs = performance.now() + patience.totalTimeoutMs;
	await journal.append({
		line,
		state: 'begun',
		at: serviceTime.toISOString(),
		expires: latestExpiry(serviceTime, patience),
		change_id: changeId,
		...contentFields(content, change),
	});
	interrupts.changeBegins();
	let noted: Promise<void> | undefined;
	// Noted at once, because the process may be killed while the client looks.
	const onEvent = (event: ClientEvent) => {
		if (event.kind !== 'failure' || event.code !== 'outcome_unknown') return;
		noted ??= journal.noteMayHappenLater(line);
		noted.catch(() => {});
	};
	// The journal may have taken long, and the time of its entry counts.
	const totalTimeoutMs = Math.max(1, endsAtMs - performance.now());
	const options = { signal: interrupts.abandon, onEvent, changeId, totalTimeoutMs };
	const sent = await outcomeOf(change.send(client, input, options));
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
	inDoubt: BegunChange,
): Promise<LineOutcome> {
	// A service that does not answer could not tell it either.
	if (sent.state !== 'done' && sent.failure.exitCode === exitCodes.failed) return { ...sent, state: 'unknown' };
	const signal = interrupts.abandon;
	try {
		const recorded = await client.changes.settle(knownOf(change, inDoubt), { signal });
		if (recorded === undefined) return sent;
		const found = await outcomeOf(change.send(client, input, { signal, changeId: inDoubt.changeId }));
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
