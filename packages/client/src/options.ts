/** How patient a call is. All times are in milliseconds. */
export interface Patience {
	/** How long one request may take, its answer read whole. Default 10,000; for `viewAllSubUsers` the total. */
	readonly timeoutMs?: number;
	/**
	 * How long a call may take with all its attempts, pauses and looks. Default 60,000. A change that has
	 * less than `timeoutMs` and `settleMs` together cannot be judged when its answer is lost late.
	 */
	readonly totalTimeoutMs?: number;
	/** How often a request is sent at the most, the first time included. Default 4. */
	readonly maxAttempts?: number;
}

/** Options of every call. */
export interface CallOptions extends Patience {
	/**
	 * Ends the call. It then rejects with the signal's reason; or, where a change was already on its way,
	 * with an `OutcomeUnknownError` whose cause is that reason.
	 */
	readonly signal?: AbortSignal;
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
	 * How long after its answer was lost a request may still take effect, in milliseconds. Until then
	 * the absence of a change is not believed. Default 10,000: the service refuses requests that have
	 * waited 5 s in it, and as much again is for the way there.
	 */
	readonly settleMs?: number;
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
	readonly soleWriter: boolean;
	readonly settleMs: number;
	readonly maxListBytes: number;
	/** How long one request for all sub-users may take; `undefined` where it may take as long as the call. */
	readonly listTimeoutMs: number | undefined;
}

/**
 * Checks what a client is made with. Throws a `TypeError` that says what is wrong, and never holds
 * the token.
 */
export function readOptions(options: BursarClientOptions): Settings {
	refuseBrowserPage();
	return {
		baseUrl: readBaseUrl(options),
		token: readToken(options.token ?? environment('BURSAR_TOKEN')),
		fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
		soleWriter: options.soleWriter ?? false,
		listTimeoutMs: options.timeoutMs,
		settleMs: readDuration('settleMs', options.settleMs ?? 10_000, 0),
		maxListBytes: readBytes('maxListBytes', options.maxListBytes ?? 64 * 1024 ** 2),
		...readPatience(options, { timeoutMs: 10_000, totalTimeoutMs: 60_000, maxAttempts: 4 }),
	};
}

/** What a call asks for, where it asks for something, in place of what the client was made with. */
export function readPatience(asked: Patience, otherwise: Required<Patience>): Required<Patience> {
	const maxAttempts = asked.maxAttempts ?? otherwise.maxAttempts;
	if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 1) throw new TypeError('maxAttempts must be an integer >= 1');
	return {
		timeoutMs: readDuration('timeoutMs', asked.timeoutMs ?? otherwise.timeoutMs, 1),
		totalTimeoutMs: readDuration('totalTimeoutMs', asked.totalTimeoutMs ?? otherwise.totalTimeoutMs, 1),
		maxAttempts,
	};
}

/** Contract, Authentication 4: the token is never placed in client-side code. */
function refuseBrowserPage(): void {
	const scope = globalThis as { document?: unknown; window?: unknown; importScripts?: unknown; location?: unknown };
	const isPage = scope.window !== undefined && scope.document !== undefined;
	const isWorkerOfPage = typeof scope.importScripts === 'function' && scope.location !== undefined;
	if (isPage || isWorkerOfPage) {
		throw new TypeError('This client holds the reseller token, which must never be in a browser: call it on a server');
	}
}

function readBaseUrl({ baseUrl = environment('BURSAR_URL'), allowInsecureHttp }: BursarClientOptions): string {
	if (baseUrl === undefined) throw new TypeError('baseUrl is missing: give it, or set BURSAR_URL');
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	// The text is not repeated: it may hold credentials.
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new TypeError('baseUrl must be an address that begins with https:// or http://');
	}
	if (url.username || url.password || /[?#]/.test(url.href)) {
		throw new TypeError('baseUrl must have no credentials, no query and no fragment');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
		throw new TypeError('baseUrl must begin with https://: over plain http the token can be read on the way');
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** What would not fit into a header is refused here: `fetch` would name it in its error. */
function readToken(token: string | undefined): string {
	if (token === undefined) throw new TypeError('token is missing: give it, or set BURSAR_TOKEN');
	if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
		throw new TypeError('token must be visible ASCII characters, without spaces or line ends');
	}
	return token;
}

function readDuration(name: string, ms: number, least: number): number {
	// Timers take no more than a signed 32-bit number of milliseconds.
	if (typeof ms !== 'number' || !(ms >= least && ms < 2 ** 31)) {
		throw new TypeError(`${name} must be a number of milliseconds from ${least} to ${2 ** 31 - 1}`);
	}
	return ms;
}

function readBytes(name: string, bytes: number): number {
	if (!Number.isSafeInteger(bytes) || bytes < 1) throw new TypeError(`${name} must be an integer of bytes >= 1`);
	return bytes;
}

/** Only looked at for what was not given, so that runtimes that guard their environment need not ask. */
function environment(name: 'BURSAR_URL' | 'BURSAR_TOKEN'): string | undefined {
	const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
	return process?.env?.[name] || undefined;
}
