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
	/** Pauses before the next attempt; `false`, at once, where there may be none. Rejects with the signal's reason. */
	pauseAfter(attempt: number, failure: Failure): Promise<boolean>;
	/** Waits; `false`, at once, where the call has not that long. Rejects with the signal's reason. */
	wait(ms: number): Promise<boolean>;
	/** Waits for something that somebody else does. Rejects with the signal's reason. */
	unlessAborted<Value>(promise: Promise<Value>): Promise<Value>;
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
		async pauseAfter(attempt, { retryAfterMs = 0 }) {
			signal?.throwIfAborted();
			if (attempt >= maxAttempts) return false;
			const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
			// At random, so that clients that failed together do not come back together.
			return wait(retryAfterMs + longest * (0.5 + Math.random() / 2));
		},
		wait,
		async unlessAborted(promise) {
			signal?.throwIfAborted();
			if (signal === undefined) return promise;
			const { aborted, release } = whenAborted(signal);
			return Promise.race([promise, aborted]).finally(release);
		},
	};
}

const OUT_OF_TIME: Failure = { type: ConnectionError, message: 'the time for this call was over before it was sent' };

/** Runs with a signal that ends it after that time, or when the caller's does. */
async function within<Result>(
	ms: number,
	signal: AbortSignal | undefined,
	run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const abort = () => controller.abort(new Error('the call was aborted'));
	const timer = setTimeout(() => controller.abort(new Error(`no answer within ${Math.ceil(ms)} ms`)), ms);
	signal?.addEventListener('abort', abort, { once: true });
	try {
		return await run(controller.signal);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener('abort', abort);
	}
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const over = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	if (signal === undefined) return over;
	const { aborted, release } = whenAborted(signal);
	await Promise.race([over, aborted]).finally(() => {
		clearTimeout(timer);
		release();
	});
}

/** Rejects with the signal's reason once it is aborted. `release` takes the listener away again. */
function whenAborted(signal: AbortSignal): { aborted: Promise<never>; release(): void } {
	let release = () => {};
	const aborted = new Promise<never>((_, reject) => {
		const listener = () => reject(signal.reason);
		signal.addEventListener('abort', listener, { once: true });
		release = () => signal.removeEventListener('abort', listener);
	});
	return { aborted, release };
}
