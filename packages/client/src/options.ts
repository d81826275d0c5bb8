import type { EventListener } from './events.ts';
import type { SeenAnswers } from './seen-answers.ts';
import type { ServiceClock } from './service-clock.ts';

/** How patient a call is. All times are in milliseconds. */
export interface Patience {
	/**
	 * How long one request may take, its answer read whole. Default 10,000; for `viewAllSubUsers` the total. A change
	 * expires after half of it: a service that receives it later does not do it.
	 */
	readonly timeoutMs?: number;
	/**
	 * How long a call may take with all its attempts, pauses and looks. Default 60,000. A change needs about
	 * `timeoutMs` and 10 s more, so that it can be judged if its answer is lost late.
	 */
	readonly totalTimeoutMs?: number;
	/** How often a request is sent at the most, the first time included. Default 4. */
	readonly maxAttempts?: number;
}

/** Options of every call. */
export interface CallOptions extends Patience {
	/**
	 * Ends the call. It then rejects with the signal's reason; or, if a change was already on its way,
	 * with an `OutcomeUnknownError` whose cause is that reason.
	 */
	readonly signal?: AbortSignal;
	/** Is told of each request, answer and wait of the call, as they happen. Default: what the client was made with. */
	readonly onEvent?: EventListener;
}

/** Options of calls that change a sub-user. */
export interface ChangeOptions extends CallOptions {
	/**
	 * The caller's word that nobody else changes this sub-user during the call: no other process, person
	 * or client object. Only then can looking tell what became of a change whose answer was lost.
	 * Calls through one client object take turns. Default: what the client was made with, or `false`.
	 */
	readonly soleWriter?: boolean;
}

export interface CreateOptions extends ChangeOptions {
	/**
	 * The most that this call may pay in fees, in USD cents; each request may cost 10. With the default, 10,
	 * a create whose answer was lost is looked for, and is not repeated where it is not there.
	 */
	readonly maxFeeCents?: number;
}

/** What a client is made with. */
export interface BursarClientOptions extends Patience {
	/** Base address of the service. Default: the environment's `BURSAR_URL`. */
	readonly baseUrl?: string | URL;
	/** The reseller's bearer token. Default: the environment's `BURSAR_TOKEN`. */
	readonly token?: string;
	/**
	 * Used in place of the global `fetch`. It must send each request once, and may not retry by itself:
	 * bodies are streams, which can be read only once. It should heed its signal.
	 */
	readonly fetch?: typeof globalThis.fetch;
	/** See {@link ChangeOptions.soleWriter}; for all calls that do not say otherwise. */
	readonly soleWriter?: boolean;
	/**
	 * How long after its answer was lost a change may still take effect, in milliseconds, if the service does not
	 * honour `X-Request-Expires`. Until then the absence of the change is not believed. Default 120,000: a kernel
	 * goes on sending for about that long after the connection was given up. Bursar honours it, and needs no guess.
	 */
	readonly settleMs?: number;
	/**
	 * How long after the service has shown that a change has expired it may still take effect, in milliseconds.
	 * Default 5,000: Bursar ends what it has begun within that time, or says that it does not know the outcome.
	 */
	readonly afterExpiryMs?: number;
	/** Sent with every request, beside the client's own, which it may not replace; `User-Agent`, for example. */
	readonly headers?: Readonly<Record<string, string>>;
	/** See {@link CallOptions.onEvent}; for all calls that have none of their own. */
	readonly onEvent?: EventListener;
	/**
	 * How large the list of all sub-users may be, in bytes. Default 67,108,864 (64 MiB): about half a million
	 * sub-users. A larger one ends in an `UnexpectedAnswerError`. Every other answer may have 65,536 bytes.
	 */
	readonly maxListBytes?: number;
	/** Allows plain http to addresses that are not of this machine: the token is then readable on the way. */
	readonly allowInsecureHttp?: boolean;
}

/** The options of a client, complete and checked. */
export interface Settings extends Required<Patience> {
	/** Without a slash at its end. */
	readonly baseUrl: string;
	readonly token: string;
	readonly fetch: typeof globalThis.fetch;
	readonly headers: Headers;
	readonly onEvent: EventListener | undefined;
	readonly soleWriter: boolean;
	readonly settleMs: number;
	readonly afterExpiryMs: number;
	readonly maxListBytes: number;
	/** How long one request for all sub-users may take; `undefined` if it may take as long as the call. */
	readonly listTimeoutMs: number | undefined;
	readonly clock: ServiceClock;
	readonly seenAnswers: SeenAnswers;
}
