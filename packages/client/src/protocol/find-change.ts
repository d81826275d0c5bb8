import type { RecordedChange } from '../accounts.ts';
import { readRecordedChange } from '../answers.ts';
import type { OutcomeUnknownError } from '../errors.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { read } from './read.ts';
import type { Failure } from './reply.ts';

/** While the service's clock is behind the expected time, the client asks for the time this often. */
const ASK_AGAIN_MS = 500;

/**
 * What the change with the call's id did; `undefined` if the service knows none now. It is asked until it answers, or until
 * the time of the call is over.
 */
export async function lookForChange(call: Call): Promise<RecordedChange | undefined> {
	return (await read(call, requestToLook(call.changeId), true)) ?? undefined;
}

/** The request that looks for a change. `null`: the service knows none now. */
export function requestToLook(changeId: string): Exchange<RecordedChange | null> {
	return {
		operation: 'viewChange',
		body: { change_id: changeId },
		isMarked: true,
		readData: readRecordedChange(changeId),
	};
}

/** Says why the outcome of a change cannot be known. */
export type Unknown = (why: string, cause?: unknown) => OutcomeUnknownError;

/**
 * Finds out for certain what a change did that was sent, and whose answer was lost. It looks at once, and again when no
 * request with its id can take effect any more. `undefined`: it did not take effect, and no longer can. `expires`: when the
 * last request expires, in Unix seconds of the service's clock; by default, whatever was sent until now has expired then.
 */
export async function findChange(
	call: Call,
	lost: Pick<Failure, 'code' | 'expires'>,
	unknown: Unknown,
): Promise<RecordedChange | undefined> {
	const { service, afterExpiryMs } = call;
	let { expires } = lost;
	let isFinalFromMs = Number.POSITIVE_INFINITY;
	for (;;) {
		const askedAtMs = performance.now();
		const recorded = await lookForChange(call).catch((cause) => {
			throw unknown('looking for it failed', cause);
		});
		if (recorded !== undefined) return recorded;
		if (!service.isHonoured) throw unknown(NOT_HONOURED);
		if (askedAtMs >= isFinalFromMs) break;

		expires ??= call.latestExpiry();
		const shownAtMs = service.shownAtMs(expires);
		if (shownAtMs !== undefined) isFinalFromMs = Math.min(isFinalFromMs, shownAtMs + afterExpiryMs);
		const isExpired = isFinalFromMs < Number.POSITIVE_INFINITY;
		const waitMs = isExpired ? isFinalFromMs - performance.now() : Math.max(ASK_AGAIN_MS, service.untilMs(expires));
		const hadTime = await call.wait(waitMs).catch((cause) => {
			throw unknown('the call was ended', cause);
		});
		if (!hadTime) throw unknown('there was no time to wait until it can no longer arrive');
	}
	if (lost.code === 'outcome_unknown') throw unknown('the service may still do it');
	if (lost.code === 'change_repeated') throw unknown('the service does not show it');
	return undefined;
}

const NOT_SHOWN = 'the answers of the service do not show that it honours X-Change-Id and X-Request-Expires';
export const NOT_HONOURED = `${NOT_SHOWN}, so the change is not sent again`;
export const CANNOT_TELL = `${NOT_SHOWN}, so it cannot tell whether the change was done`;
