import type { EventListener } from './events.ts';
import type { SeenAnswers } from './protocol/seen-answers.ts';
import type { Service } from './protocol/service.ts';
import type { EventType } from './reseller-events.ts';
import type { SubUserState, UnusableReason } from './sub-user-terms.ts';

/** How long and how often a call tries. All times are in milliseconds. */
export interface Patience {
	/**
	 * How long one request may take, until its answer is read to the end. Default 10,000. A change expires after half of it:
	 * a service that receives it later does not do it.
	 */
	readonly timeoutMs?: number;
	/**
	 * How long a call may take with all its attempts, pauses and looks. Default 60,000. What was never sent, or what the
	 * service answered with `unavailable`, is tried again until then. The client needs about `timeoutMs` and 10 s more to
	 * judge a change whose answer is lost late.
	 */
	readonly totalTimeoutMs?: number;
	/** How often a request is sent at most that is answered and fails, the first time included. Default 4. */
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
	 * The id of the change: 16 to 64 of `A-Z a-z 0-9 - _`. Default: a new one. A program that journals its changes makes
	 * one with `newChangeId` before it sends the change. The same call with the same id returns the outcome of the change,
	 * if it was done within the last 48 hours, and otherwise makes it.
	 */
	readonly changeId?: string;
}

/** Options of `subUsers.give`, `subUsers.take` and `subUsers.createWith`. */
export interface TransferOptions extends ChangeOptions {
	/**
	 * What it is for, as you name it, like an order: 1 to 128 visible ASCII characters, without spaces. It need not be unique.
	 * `statement.list` finds the movement by it.
	 */
	readonly reference?: string;
}

/** Options of calls that list something page by page. `totalTimeoutMs` is the time of one page. */
export interface ListOptions extends CallOptions {
	/** Where to begin: the `next` of a page. Default: at the start. */
	readonly after?: string;
	/** The most rows of a page, from 1 to 1,000. Default: 1,000. */
	readonly pageRows?: number;
}

export interface SubUserListOptions extends ListOptions {
	/** Only sub-users whose names begin with this. */
	readonly prefix?: string;
	/** Only sub-users in this state. */
	readonly state?: SubUserState;
	/**
	 * Only those whose pairs the proxies accept, or only those that they refuse. What bandwidth or time has changed is found ten
	 * seconds later, or some minutes; the sub-user itself says what holds.
	 */
	readonly isUsable?: boolean;
	/** Only those that the proxies refuse for this reason. As late. */
	readonly reason?: UnusableReason;
}

export interface TopUpListOptions extends ListOptions {
	/** Only payments that still wait for money. Default: all. */
	readonly only?: 'waiting';
}

export interface StatementOptions extends ListOptions {
	/** Only movements of the UTC day of this time, or later. */
	readonly from?: Date;
	/** Only movements of the UTC day of this time, or earlier. */
	readonly to?: Date;
	/**
	 * Which movements come first. `oldest` is for a program that follows the statement: keep the `next` of each page, and give it
	 * as `after` later. Default: `newest`.
	 */
	readonly order?: 'newest' | 'oldest';
	/** Only gives and takes with exactly this reference. */
	readonly reference?: string;
}

export interface EventListOptions extends ListOptions {
	/**
	 * Where to begin: the `next` of an event or a page; `newest` for the present end of the log. Default: at the oldest event that
	 * is kept.
	 */
	readonly after?: string;
	/** Only events of these types. Default: all. */
	readonly types?: readonly EventType[];
}

/** Options of `events.follow`. It has no end of its own, and tries as often as it takes. */
export interface FollowOptions extends Pick<EventListOptions, 'after' | 'types' | 'pageRows'> {
	/** How long one request may wait for events, in whole seconds from 0 to 25. Default 20. */
	readonly waitSeconds?: number;
	/**
	 * Called with the place when it has moved without an event, because those in between are of other types, or because `after` was
	 * no guarded place. Keep it as the `next` of an event.
	 */
	readonly onNext?: (next: string) => void;
	/** How long one request may take beyond its wait, in milliseconds. Default: the client's. */
	readonly timeoutMs?: number;
	/** Ends the loop, which then throws the signal's reason. */
	readonly signal?: AbortSignal;
	readonly onEvent?: EventListener;
}

/** The options of `events.follow`, complete and checked. */
export interface FollowedEvents {
	readonly after: string | undefined;
	readonly types: readonly EventType[] | undefined;
	readonly onNext: ((next: string) => void) | undefined;
	readonly limit: number;
	readonly waitSeconds: number;
	readonly callOptions: CallOptions;
}

/** The options of a client. */
export interface BursarOptions extends Patience {
	/** Base address of the service. Default: the environment's `BURSAR_URL`. */
	readonly baseUrl?: string | URL;
	/** The reseller's bearer token. Default: the environment's `BURSAR_TOKEN`. */
	readonly token?: string;
	/** Replaces the global `fetch`, for proxies and tests. It should obey its signal. */
	readonly fetch?: typeof globalThis.fetch;
	/**
	 * How long a change may still take effect after an answer has shown that it expired, in milliseconds.
	 * Default 5,000: Bursar ends each command within that time, or says that it does not know the outcome.
	 */
	readonly afterExpiryMs?: number;
	/** Headers for every request; `User-Agent`, for example. They cannot replace those that the client needs. */
	readonly headers?: Readonly<Record<string, string>>;
	/** See {@link CallOptions.onEvent}. The default of all calls. */
	readonly onEvent?: EventListener;
	/** Allows plain http to other machines: the network can then read the token. */
	readonly allowInsecureHttp?: boolean;
	/**
	 * Allows a program that has a window: a test with jsdom, for example. In a real page, everyone who opens it can read the
	 * token.
	 */
	readonly dangerouslyAllowBrowser?: boolean;
}

/** The options of a client, complete and checked. */
export interface Settings extends Required<Patience> {
	/** Without a slash at its end. */
	readonly baseUrl: string;
	readonly token: string;
	readonly fetch: typeof globalThis.fetch;
	readonly headers: Headers;
	readonly onEvent: EventListener | undefined;
	readonly afterExpiryMs: number;
	readonly service: Service;
	readonly seenAnswers: SeenAnswers;
}
