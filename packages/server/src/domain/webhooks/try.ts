import type { EventCursor } from '../events/cursor.ts';
import { afresh, type Webhook } from './webhook.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** @bound A webhook waits after each failed try: further tries wait as long as the last. */
const WAITS_MS = [
	...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
	...[1 * HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS],
];
/** How much longer a wait may be, as a part of it: many webhooks of one receiver do not come back at the same moment. */
const JITTER = 0.2;
/** @bound How long `Retry-After` can make a webhook wait: a longer wait counts as this one. */
const MAX_RETRY_AFTER_MS = HOUR_MS;
/** @bound A webhook fails: then it is switched off. */
const FAILING_MS = 3 * 24 * HOUR_MS;
/** No time of a webhook is further ahead, so one that is was written before the clock was set back. */
export const MOST_AHEAD_MS = Math.ceil(8 * HOUR_MS * (1 + JITTER));

/** How a try ended. */
export type TryOutcome =
	| {
			readonly status: number;
			readonly retryAfterMs?: number | undefined;
			readonly answer: string;
			readonly tookMs: number;
	  }
	| { readonly failure: string; readonly message: string; readonly tookMs: number };

/** What becomes of a webhook after a try. */
export interface AfterTry {
	readonly reached: EventCursor;
	readonly failingSinceMs: number | null;
	readonly failedTries: number;
	/** Unix milliseconds. */
	readonly nextAtMs: number;
	/** Set if it is switched off now. */
	readonly offReason?: 'gone' | 'failing';
}

/**
 * Decides what becomes of a webhook after a try to send it an event. A status of 2xx moves it on. After anything else the
 * same event is sent again, more and more seldom. `jitter` is a random number from 0 to 1.
 */
export function decideTry(
	webhook: Pick<Webhook, 'reached' | 'failingSinceMs' | 'failedTries'>,
	event: Required<EventCursor>,
	outcome: TryOutcome,
	{ nowMs, jitter }: { readonly nowMs: number; readonly jitter: number },
): AfterTry {
	if (isDelivered(outcome)) return { reached: event, ...afresh(nowMs) };
	const failedTries = webhook.failedTries + 1;
	const failingSinceMs = webhook.failingSinceMs ?? nowMs;
	const endMs = failingSinceMs + FAILING_MS;
	const failed = { reached: webhook.reached, failingSinceMs, failedTries };
	if ('status' in outcome && outcome.status === 410) return { ...failed, nextAtMs: nowMs, offReason: 'gone' };
	if (nowMs >= endMs) return { ...failed, nextAtMs: nowMs, offReason: 'failing' };
	// The last try is made when the three days are over.
	return { ...failed, nextAtMs: Math.min(nowMs + waitAfter(failedTries, outcome, jitter), endMs) };
}

export function isDelivered(outcome: TryOutcome): boolean {
	return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

function waitAfter(failedTries: number, outcome: TryOutcome, jitter: number): number {
	const usualMs = WAITS_MS[Math.min(failedTries, WAITS_MS.length) - 1] as number;
	const retryAfterMs = 'status' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
	return Math.round(Math.max(usualMs * (1 + JITTER * jitter), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

/** Whether a webhook may be sent something at this time. Both are Unix milliseconds. */
export function isDue({ nextAtMs }: Pick<Webhook, 'nextAtMs'>, nowMs: number): boolean {
	return nextAtMs <= nowMs || nextAtMs > nowMs + MOST_AHEAD_MS;
}

/** Characters of an answer of a receiver that are kept: as many as it may have bytes. */
const ANSWER_CHARACTERS = 4_096;

/** What is kept of how a try ended. */
export interface KeptOutcome {
	/** `null` if there was no answer. */
	readonly status: number | null;
	/** Why there was none. */
	readonly failure: string | null;
	readonly tookMs: number;
	/** The beginning of the answer, or a sentence about the failure. */
	readonly answer: string;
}

export function keptOutcome(outcome: TryOutcome): KeptOutcome {
	const { tookMs } = outcome;
	return 'status' in outcome
		? { status: outcome.status, failure: null, tookMs, answer: outcome.answer.slice(0, ANSWER_CHARACTERS) }
		: { status: null, failure: outcome.failure, tookMs, answer: outcome.message.slice(0, ANSWER_CHARACTERS) };
}
