import { type ChangeIds, newChangeId } from './by-id/change-ids.ts';
import { ConnectionError } from './errors.ts';
import { tellListener } from './events.ts';
import { type Exchange, exchange } from './exchange.ts';
import { onAbort } from './on-abort.ts';
import type { ChangeOptions, Settings } from './options.ts';
import { readPatience } from './read-options.ts';
import type { Failure, Reply } from './reply.ts';
import type { ServiceClock } from './service-clock.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** One call of a method: it sends requests until it has its result or its time is over. */
export interface Call {
	readonly clock: ServiceClock;
	readonly changeIds: ChangeIds;
	/** The id of the change that the call makes, if it makes one. All its requests carry it. */
	readonly changeId: string;
	/** Whether the caller gave the id, which an earlier call may have used for the same change. */
	readonly isIdGiven: boolean;
	/** Sends a request once. Rejects with the signal's reason only if it was aborted before sending. */
	send<Data>(request: Exchange<Data>): Promise<Reply<Data>>;
	/**
	 * Pauses before the next attempt. Returns `false` at once if no attempt is left, or if the pause would leave
	 * less than `neededMs`. Rejects with the signal's reason.
	 */
	pauseAfter(attempt: number, failure: Failure, neededMs?: number): Promise<boolean>;
	/** Waits. Returns `false` at once if the call has less time left. Rejects with the signal's reason. */
	wait(ms: number): Promise<boolean>;
	/** Waits for another call. Returns `false` if the time is over first. Rejects with the signal's reason. */
	waitFor(promise: Promise<void>): Promise<boolean>;
	/** When every change sent until now has expired, in Unix seconds of the service's clock; `undefined` until known. */
	latestExpiry(): number | undefined;
	/** The time that a change needs, in milliseconds, so that the client can still judge it if its answer is lost. */
	judgingMs(): number;
	/** The same call, except that it limits no attempts: only its time. */
	patient(): Call;
}

export function beginCall(settings: Settings, options: ChangeOptions): Call {
	const { timeoutMs, totalTimeoutMs, maxAttempts } = readPatience(options, settings);
	const { clock, changeIds, afterExpiryMs, settleMs } = settings;
	const { signal, changeId = newChangeId() } = options;
	const tell = tellListener(options.onEvent ?? settings.onEvent);
	const endsAt = performance.now() + totalTimeoutMs;
	const leftMs = () => endsAt - performance.now();
	// The request may spend half of the time-out on its way to the service.
	const wayMs = timeoutMs / 2;
	let requests = 0;

	async function wait(ms: number): Promise<boolean> {
		signal?.throwIfAborted();
		if (ms > leftMs()) return false;
		if (ms > 0) {
			tell({ kind: 'wait', ms });
			// Timers fire up to a millisecond early.
			await pause(Math.ceil(ms) + 1, signal);
		}
		return true;
	}

	const pauseAfter =
		(mostAttempts: number): Call['pauseAfter'] =>
		async (attempt, { retryAfterMs = 0 }, neededMs = 0) => {
			signal?.throwIfAborted();
			if (attempt >= mostAttempts) return false;
			const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
			// Random, so that clients that failed together do not retry together.
			const pauseMs = retryAfterMs + longest * (0.5 + Math.random() / 2);
			// If the time would end within the pause, the call ends now with this failure: it says more than a time-out.
			return pauseMs + neededMs < leftMs() && (await wait(pauseMs)) && leftMs() > neededMs;
		};

	const call: Call = {
		clock,
		changeIds,
		changeId,
		isIdGiven: options.changeId !== undefined,
		async send(request) {
			signal?.throwIfAborted();
			const limitMs = Math.min(timeoutMs, leftMs());
			if (limitMs <= 0) return { kind: 'not_done', failure: OUT_OF_TIME };
			const expires = clock.expiryIn(wayMs);
			const marks = { expires, changeId };
			const sentAtMs = performance.now();
			const about = { operation: request.operation, request: ++requests };
			tell({ kind: 'request', ...about });
			const reply = await within(limitMs, signal, (limit) => exchange(settings, request, marks, limit));
			const tookMs = performance.now() - sentAtMs;
			if (reply.kind === 'answered') {
				tell({ kind: 'answer', ...about, tookMs, requestId: reply.requestId });
				return reply;
			}
			const { message, code, status, requestId } = reply.failure;
			tell({ kind: 'failure', ...about, tookMs, message, code, status, requestId });
			return { ...reply, failure: { ...reply.failure, expires } };
		},
		pauseAfter: pauseAfter(maxAttempts),
		wait,
		async waitFor(promise) {
			signal?.throwIfAborted();
			return happensWithin(leftMs(), promise, signal);
		},
		latestExpiry: () => clock.latestExpiryIn(wayMs),
		judgingMs() {
			if (!clock.isHonoured) return timeoutMs + settleMs;
			return Math.max(timeoutMs, wayMs + CLOCK_STEPS_MS) + afterExpiryMs;
		},
		patient: () => ({ ...call, pauseAfter: pauseAfter(Number.POSITIVE_INFINITY) }),
	};
	return call;
}

/** An expiry and the time in an answer are both whole seconds, so each can be off by up to one. */
const CLOCK_STEPS_MS = 2_000;

const OUT_OF_TIME: Failure = { type: ConnectionError, message: 'the call ran out of time before it was sent' };

/**
 * Sends with a signal that aborts after `ms`, or when the caller's signal does. Resolves then even if `fetch`
 * ignores its signal.
 */
async function within<Data>(
	ms: number,
	signal: AbortSignal | undefined,
	send: (signal: AbortSignal) => Promise<Reply<Data>>,
): Promise<Reply<Data>> {
	const controller = new AbortController();
	return new Promise((resolve) => {
		const giveUp = (message: string) => {
			controller.abort(new Error(message));
			end({ kind: 'lost', failure: { type: ConnectionError, message } });
		};
		const abort = () => giveUp('the call was aborted');
		const timer = setTimeout(() => giveUp(`no answer within ${Math.ceil(ms)} ms`), ms);
		const end = (reply: Reply<Data>) => {
			clearTimeout(timer);
			forget();
			resolve(reply);
		};
		const forget = onAbort(signal, abort);
		void send(controller.signal).then(end);
	});
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await happensWithin(ms, new Promise(() => {}), signal);
}

/** Whether the promise resolves within `ms`. Rejects with the signal's reason if the signal is aborted first. */
function happensWithin(ms: number, promise: Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const abort = () => end(() => reject(signal?.reason));
		const timer = setTimeout(() => end(() => resolve(false)), Math.max(0, ms));
		const end = (settle: () => void) => {
			clearTimeout(timer);
			forget();
			settle();
		};
		const forget = onAbort(signal, abort);
		void promise.then(() => end(() => resolve(true)));
	});
}
