import type { Confirmation } from './accounts.ts';
import type { Call } from './call.ts';
import { type ErrorDetails, OutcomeUnknownError, type UnknownOutcome } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { askTime } from './read.ts';
import { errorOf, type Failure } from './reply.ts';
import type { Turns } from './turns.ts';

/**
 * Sends a change until it is known what became of it. `judge` is asked about each lost answer. It returns what the
 * service would have answered, if the change took effect; `undefined`, if it did not and cannot any more; and
 * throws if neither can be known.
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
		// What is known to be not done is not made unknown again by a repeat that could not be judged in time.
		const neededMs = reply.kind === 'lost' ? call.judgingMs : 0;
		if (!(await call.pauseAfter(attempt, reply.failure, neededMs))) throw errorOf(reply.failure);
	}
}

/** How to look for a change whose answer was lost. */
export interface Search<Seen> {
	readonly username: string;
	readonly lost: Failure;
	look(): Promise<Seen>;
	/** Whether that tells enough, so that there is no need to wait. */
	isEnough(seen: Seen): boolean;
	/** The error to throw if nothing can be known, with the reason why. */
	unknown(why: string, cause?: unknown): OutcomeUnknownError;
}

/**
 * Looks at once, and again when no lost request can take effect any more: what is seen then is final.
 * Nothing bounds what the service itself calls unknown (a commit that waits for a standby, for example): it can
 * be found, but its absence proves nothing.
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
	if (!hadTime) throw unknown('there was no time to wait until it cannot be on its way any more');
	if (lost.code === 'outcome_unknown' && !isEnough(seen)) throw unknown('the service may still do it');
	return seen;
}

/** The error for a change whose answer was lost, with why looking could not tell what became of it. */
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

/** The error for a change whose answer says that it was done, and does not fit what was seen before it. */
export function contradicted(known: UnknownOutcome, why: string): OutcomeUnknownError {
	const message = `what "${changeOf(known)}" did is not known: ${why}`;
	return new OutcomeUnknownError(message, { ...known, isDisturbed: true }, {});
}

function changeOf({ operation, username, amountCents }: UnknownOutcome): string {
	return `${operation} ${username}${amountCents === undefined ? '' : ` ${amountCents} cents`}`;
}
