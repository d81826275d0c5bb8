import type { ChangeIds } from './by-id/change-ids.ts';
import type { EventListener } from './events.ts';
import type { SeenAnswers } from './seen-answers.ts';
import type { ServiceClock } from './service-clock.ts';
import type { SubUserState } from './terms/sub-user-terms.ts';

/** How long and how often a call tries. All times are in milliseconds. */
export interface Patience {
	/**
	 * How long one request may take, until its answer is read to the end. Default 10,000; for `viewAllSubUsers`,
	 * `totalTimeoutMs`. A change expires after half of it: a service that receives it later does not do it.
	 */
	readonly timeoutMs?: number;
	/**
	 * How long a call may take with all its attempts, pauses and looks. Default 60,000. The client needs about
	 * `timeoutMs` and 10 s more to judge a change whose answer is lost late.
	 */
	readonly totalTimeoutMs?: number;
	/**
	 * How often a request is sent at most, the first time included. Default 4. It does not limit looks for a change by its
	 * id.
	 */
	readonly maxAttempts?: number;
}

/** Options of every call. */
export interface CallOptions extends Patience {
	/**
	 * Ends the call, which then rejects with the signal's reason. If a change was already sent, it rejects with an
	 * `OutcomeUnknownError` whose `cause` is that reason.
	 */
	readonly signal?: AbortSignal;
	/** Called for each request, answer and wait of the call. Default: the client's option. */
	readonly onEvent?: EventListener;
}

/** Options of calls that change a sub-user. */
export interface ChangeOptions extends CallOptions {
	/**
	 * For services that do not know change ids: your promise that no other process, person or client object changes this
	 * sub-user during the call. Only then can the client learn whether a change took effect whose answer was lost. Calls
	 * through one client object take turns. Default: the client's option, or `false`.
	 */
	readonly soleWriter?: boolean;
	/**
	 * The id of the change: 16 to 64 of `A-Z a-z 0-9 - _`. Default: a new one. A program that journals its changes gets
	 * one from `newChangeId` before it sends the change. The same call with the same id returns the outcome of the change,
	 * if it was done within the last 48 hours, and otherwise makes it.
	 */
	readonly changeId?: string;
}

export interface CreateOptions extends ChangeOptions {
	/**
	 * The most that this call may pay in fees, in USD cents; each request may cost 10. With the default, 10, the
	 * client looks for a create whose answer was lost, but does not repeat it.
	 */
	readonly maxFeeCents?: number;
}

/** Options of calls that list something page by page. */
export interface ListOptions extends CallOptions {
	/** The most rows of a page, from 1 to 1,000. Default: 1,000. */
	readonly pageRows?: number;
}

export interface SubUserListOptions extends ListOptions {
	/** Only sub-users whose names begin with this. */
	readonly prefix?: string;
	/** Only sub-users in this state. */
	readonly state?: SubUserState;
}

export interface StatementOptions extends ListOptions {
	/** Only movements of the UTC day of this time, or later. */
	readonly from?: Date;
	/** Only movements of the UTC day of this time, or earlier. */
	readonly to?: Date;
}

/** The options of a client. */
export interface BursarClientOptions extends Patience {
	/** Base address of the service. Default: the environment's `BURSAR_URL`. */
	readonly baseUrl?: string | URL;
	/** The reseller's bearer token. Default: the environment's `BURSAR_TOKEN`. */
	readonly token?: string;
	/**
	 * Replaces the global `fetch`. It must send each request once, without retries of its own: bodies are streams, which
	 * can be read only once. It should obey its signal.
	 */
	readonly fetch?: typeof globalThis.fetch;
	/** See {@link ChangeOptions.soleWriter}. The default of all calls. */
	readonly soleWriter?: boolean;
	/**
	 * How long a change may still take effect after its answer was lost, in milliseconds, if the service does not
	 * honour `X-Request-Expires`. Until then the client does not believe that the change is absent. Default 120,000:
	 * a kernel goes on sending for about that long after its program gave up. Bursar honours the header.
	 */
	readonly settleMs?: number;
	/**
	 * How long a change may still take effect after an answer has shown that it expired, in milliseconds.
	 * Default 5,000: Bursar ends each command within that time, or says that it does not know the outcome.
	 */
	readonly afterExpiryMs?: number;
	/** Headers for every request; `User-Agent`, for example. They cannot replace the headers that the client needs. */
	readonly headers?: Readonly<Record<string, string>>;
	/** See {@link CallOptions.onEvent}. The default of all calls. */
	readonly onEvent?: EventListener;
	/**
	 * The largest list of all sub-users that the client reads, in bytes. Default 67,108,864 (64 MiB): about half a
	 * million sub-users. A larger list ends in an `UnexpectedAnswerError`. A page of a list may have 1 MiB, any other answer
	 * 65,536 bytes.
	 */
	readonly maxListBytes?: number;
	/** Allows plain http to other machines: the network can then read the token. */
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
	/** How long one request for all sub-users may take; `undefined`: as long as the call. */
	readonly listTimeoutMs: number | undefined;
	readonly clock: ServiceClock;
	readonly changeIds: ChangeIds;
	readonly seenAnswers: SeenAnswers;
}
