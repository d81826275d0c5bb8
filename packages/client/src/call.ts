import { ConnectionError } from './errors.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type CallOptions, readPatience, type Settings } from './options.ts';
import type { Failure, Reply } from './reply.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** One call of a method, with all the requests that it takes, and the time that they have. */
export interface Call {
	/** Sends a request once. Rejects with the signal's reason only where it was aborted before sending. */
	send<Data>(request: Exchange<Data>): Promise<Reply<Data>>;
	/**
	 * Pauses before the next attempt; `false`, at once, where there may be none, or where it would leave
	 * less time than it needs, in milliseconds. Rejects with the signal's reason.
	 */
	pauseAfter(attempt: number, failure: Failure, neededMs?: number): Promise<boolean>;
	/** Waits; `false`, at once, where the call has not that long. Rejects with the signal's reason. */
	wait(ms: number): Promise<boolean>;
	/** Waits for something that somebody else does; `false` where the time is over first. Rejects with the signal's reason. */
	waitFor(promise: Promise<void>): Promise<boolean>;
	/** How long a change has to have left, in milliseconds, so that its answer, once lost, can still be judged. */
	readonly judgingMs: number;
}

export function beginCall(settings: Settings, options: CallOptions): Call {
	const { timeoutMs, totalTimeoutMs, maxAttempts } = readPatience(options, settings);
	const { signal } = options;
	const endsAt = performance.now() + totalTimeoutMs;
	const leftMs = () => endsAt - performance.now();

	async function wait(ms: number): Promise<boolean> {
		signal?.throwIfAborted();
		if (ms > leftMs()) return false;
		if (ms > 0) await pause(ms, signal);
		return true;
	}

	return {
		async send(request) {
			signal?.throwIfAborted();
			const limitMs = Math.min(timeoutMs, leftMs());
			if (limitMs <= 0) return { kind: 'not_done', failure: OUT_OF_TIME };
			return within(limitMs, signal, (limit) => exchange(settings, request, limit));
		},
		async pauseAfter(attempt, { retryAfterMs = 0 }, neededMs = 0) {
			signal?.throwIfAborted();
			if (attempt >= maxAttempts) return false;
			const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
			// At random, so that clients that failed together do not come back together.
			const pauseMs = retryAfterMs + longest * (0.5 + Math.random() / 2);
			return pauseMs + neededMs <= leftMs() && wait(pauseMs);
		},
		wait,
		async waitFor(promise) {
			signal?.throwIfAborted();
			return happensWithin(leftMs(), promise, signal);
		},
		judgingMs: timeoutMs + settings.settleMs,
	};
}

const OUT_OF_TIME: Failure = { type: ConnectionError, message: 'the time for this call was over before it was sent' };

/**
 * Sends with a signal that ends it after that time, or when the caller's does. What comes later is not
 * waited for, in case that `fetch` does not heed its signal.
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
			signal?.removeEventListener('abort', abort);
			resolve(reply);
		};
		signal?.addEventListener('abort', abort, { once: true });
		void send(controller.signal).then(end);
	});
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	await happensWithin(ms, new Promise(() => {}), signal);
}

/** Whether it happens within that time. Rejects with the signal's reason where that is aborted first. */
function happensWithin(ms: number, promise: Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const abort = () => end(() => reject(signal?.reason));
		const timer = setTimeout(() => end(() => resolve(false)), Math.max(0, ms));
		const end = (settle: () => void) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', abort);
			settle();
		};
		signal?.addEventListener('abort', abort, { once: true });
		void promise.then(() => end(() => resolve(true)));
	});
}
