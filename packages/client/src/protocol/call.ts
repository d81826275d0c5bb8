import { newChangeId } from '../change-id.ts';
import { ConnectionError } from '../errors.ts';
import { tellListener } from '../events.ts';
import type { ChangeOptions, Settings } from '../options.ts';
import { readPatience } from '../read-options.ts';
import { type Exchange, exchange } from './exchange.ts';
import { onAbort } from './on-abort.ts';
import type { Failure, Reply } from './reply.ts';
import type { Service } from './service.ts';

const FIRST_PAUSE_MS = 250;
/** @bound A pause between two attempts, without the time that `Retry-After` asks for: pauses do not grow beyond it. */
const LONGEST_PAUSE_MS = 5_000;
/** @bound The time that `Retry-After` asks for: a longer one counts as this, so that a call can outlast a restart. */
const MOST_RETRY_AFTER_MS = 10_000;
/** An expiry and the time in an answer are both whole seconds, so each can be off by up to one. Then the client asks again. */
const CLOCK_STEPS_MS = 2_500;

/** One call of a method: it sends requests until it has its result or its time is over. */
export interface Call {
	readonly service: Service;
	/** The id of the change that the call makes, if it makes one. */
	readonly changeId: string;
	/** Whether the caller gave the id, which an earlier call may have used for the same change. */
	readonly isIdGiven: boolean;
	/** Sends a request once. Rejects with the signal's reason only if it was aborted before sending. */
	send<Data>(request: Exchange<Data>): Promise<Reply<Data>>;
	/** Begins to count the attempts of one request. `isPatient`: only the time of the call limits them. */
	attempts(isPatient?: boolean): Attempts;
	/** Waits. Returns `false` at once if the call has less time left. Rejects with the signal's reason. */
	wait(ms: number): Promise<boolean>;
	/** When every change that was sent until now has expired, in Unix seconds of the service's clock. */
	latestExpiry(): number;
	/** How long after its expiry a change may still take effect, in milliseconds. */
	readonly afterExpiryMs: number;
	/** The time that a change needs, in milliseconds, so that the client can still judge it if its answer is lost. */
	readonly judgingMs: number;
}

/**
 * Pauses before the next attempt. Returns `false` at once if no attempt is left, or if the pause would leave less than
 * `neededMs`. An attempt that nothing of the service answered costs only time. Rejects with the signal's reason.
 */
type Attempts = (failed: FailedReply, neededMs?: number) => Promise<boolean>;

type FailedReply = Exclude<Reply<unknown>, { kind: 'answered' }>;

/** Begins a call with the client's settings. Throws a `TypeError` if an option is wrong. */
export type BeginCall = (options: ChangeOptions) => Call;

export function beginCall(settings: Settings, options: ChangeOptions): Call {
	const { timeoutMs, totalTimeoutMs, maxAttempts } = readPatience(options, settings);
	const { service, afterExpiryMs } = settings;
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

	return {
		service,
		changeId,
		isIdGiven: options.changeId !== undefined,
		async send(request) {
			signal?.throwIfAborted();
			const limitMs = Math.min(timeoutMs + (request.heldMs ?? 0), leftMs());
			if (limitMs <= 0) return { kind: 'not_done', failure: OUT_OF_TIME };
			const expires = service.expiryIn(wayMs);
			const sentAtMs = performance.now();
			const about = { operation: request.operation, request: ++requests };
			tell({ kind: 'request', ...about });
			const reply = await within(limitMs, signal, (limit) => exchange(settings, request, { changeId, expires }, limit));
			const tookMs = performance.now() - sentAtMs;
			if (reply.kind === 'answered') {
				tell({ kind: 'answer', ...about, tookMs, requestId: reply.requestId });
				return reply;
			}
			const { message, code, status, requestId } = reply.failure;
			tell({ kind: 'failure', ...about, tookMs, message, code, status, requestId });
			return { ...reply, failure: { ...reply.failure, expires } };
		},
		attempts(isPatient = false) {
			let made = 0;
			let counted = 0;
			return async (failed, neededMs = 0) => {
				signal?.throwIfAborted();
				made++;
				if (!isUnanswered(failed)) counted++;
				if (!isPatient && counted >= maxAttempts) return false;
				const longest = Math.min(FIRST_PAUSE_MS * 2 ** (made - 1), LONGEST_PAUSE_MS);
				// Random, so that clients that failed together do not retry together.
				const askedMs = Math.min(failed.failure.retryAfterMs ?? 0, MOST_RETRY_AFTER_MS);
				const pauseMs = askedMs + longest * (0.5 + Math.random() / 2);
				// If the time would end within the pause, the call ends now with this failure: it says more than a time-out.
				return pauseMs + neededMs < leftMs() && (await wait(pauseMs)) && leftMs() > neededMs;
			};
		},
		wait,
		latestExpiry: () => service.latestExpiryIn(wayMs),
		afterExpiryMs,
		judgingMs: Math.max(timeoutMs, wayMs + CLOCK_STEPS_MS) + afterExpiryMs,
	};
}

/**
 * Whether nothing of the service answered: it restarts, the connection broke, or a gateway found no service. Such a failure
 * may pass, however often it was tried.
 */
function isUnanswered({ kind, failure: { code, status } }: FailedReply): boolean {
	if (kind === 'not_done' || status === undefined) return true;
	return code === undefined && (status === 502 || status === 503 || status === 504);
}

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

/** Rejects with the signal's reason if the signal is aborted first. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const end = (settle: () => void) => {
			clearTimeout(timer);
			forget();
			settle();
		};
		const timer = setTimeout(() => end(resolve), ms);
		const forget = onAbort(signal, () => end(() => reject(signal?.reason)));
	});
}
