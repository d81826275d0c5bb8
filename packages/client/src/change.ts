import type { Confirmation } from './accounts.ts';
import type { Call } from './call.ts';
import { type ErrorDetails, OutcomeUnknownError, type UnknownOutcome } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { askTime } from './read.ts';
import { errorOf, type Failure } from './reply.ts';
import type { Turns } from './turns.ts';

/**
 * Sends a change until its outcome is known. `judge` decides about each lost answer. It returns what the service
 * would have answered if the change took effect, and `undefined` if the change did not take effect and no longer
 * can. It throws if it cannot tell.
 */
export async function sendChange<Data>(
	call: Call,
	request: Exchange<Data>,
	judge: (lost: Failure) => Promise<Data | undefined>,
): Promise<Data & Confirmation> {
	if (!call.clock.isKnown) await askTime(call);
	for (let attempt = 1; ; attempt++) {
		const reply = await call.send(request);
		if (reply.kind === 'answered') return { ...reply.data, confirmedBy: 'answer', requestId: reply.requestId };
		if (reply.kind === 'refused') throw errorOf(reply.failure);
		if (reply.kind === 'lost') {
			const seen = await judge(reply.failure);
			if (seen !== undefined) return { ...seen, confirmedBy: 'look', requestId: undefined };
		}
		// The change is known to be not done. A repeat that could not be judged in time would make it unknown again.
		const neededMs = reply.kind === 'lost' ? call.judgingMs() : 0;
		if (!(await call.pauseAfter(attempt, reply.failure, neededMs))) throw errorOf(reply.failure);
	}
}

/** How to look for a change whose answer was lost. */
export interface Search<Seen> {
	readonly username: string;
	readonly lost: Failure;
	look(): Promise<Seen>;
	/** Whether this already tells the outcome, so that the call need not wait. */
	isEnough(seen: Seen): boolean;
	/** The error to throw if the outcome cannot be known, with the reason. */
	unknown(why: string, cause?: unknown): OutcomeUnknownError;
}

/**
 * Looks at once, and again when no lost request can take effect any more: the second look is final.
 * If the service itself answered `outcome_unknown` (a commit that waits for a standby, for example), the change may
 * take effect at any later time. A look can then find it, but its absence proves nothing.
 */
export async function lookAfterLoss<Seen>(
	call: Call,
	turns: Turns,
	{ username, lost, look, isEnough, unknown }: Search<Seen>,
): Promise<Seen> {
	turns.lost(username, lost.expires);
	let seen: Seen;
	let hadTime = true;
	try {
		seen = await look();
		if (isEnough(seen)) return seen;
		hadTime = await turns.settled(username, call);
		if (hadTime) seen = await look();
	} catch (cause) {
		throw unknown('looking for it failed', cause);
	}
	if (!hadTime) throw unknown('there was no time to wait until it can no longer arrive');
	if (lost.code === 'outcome_unknown' && !isEnough(seen)) throw unknown('the service may still do it');
	return seen;
}

/** The error for a change whose answer was lost. `why` says why looking could not tell the outcome. */
export function outcomeUnknown(
	asked: Omit<UnknownOutcome, 'expires' | 'mayHappenLater'>,
	lost: Failure,
	why: string,
	{ cause = errorOf(lost), ...details }: ErrorDetails = {},
): OutcomeUnknownError {
	const { code, status, requestId, expires } = lost;
	const later = code === 'outcome_unknown' ? { mayHappenLater: true } : {};
	const known = { ...asked, ...(expires !== undefined && { expires }), ...later };
	return new OutcomeUnknownError(
		`whether "${changeOf(known)}" took effect is not known: its answer was lost (${lost.message}), and ${why}`,
		known,
		{ code, status, requestId, ...details, cause },
	);
}

/** The error for a change whose answer says that it was done, but contradicts what the client saw before it. */
export function contradicted(known: UnknownOutcome, why: string): OutcomeUnknownError {
	const message = `the effect of "${changeOf(known)}" is not known: ${why}`;
	return new OutcomeUnknownError(message, { ...known, isDisturbed: true }, {});
}

function changeOf({ operation, username, amountCents }: UnknownOutcome): string {
	return `${operation} ${username}${amountCents === undefined ? '' : ` ${amountCents} cents`}`;
}
