import { CHANGE_ID_HEADER, isChangeId } from '@bursar/contract/change-id';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import { EFFECT_LIMIT_MS, MAX_EVENT_WAIT_SECONDS, MAX_PAGE_ROWS } from '@bursar/contract/limits';
import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract/reference';
import manifest from '../package.json' with { type: 'json' };
import { readBaseUrl } from './base-url.ts';
import type {
	BursarOptions,
	CallOptions,
	ChangeOptions,
	EventListOptions,
	FollowedEvents,
	FollowOptions,
	ListOptions,
	Patience,
	Settings,
	StatementOptions,
	SubUserListOptions,
	TopUpListOptions,
	TransferOptions,
} from './options.ts';
import { SeenAnswers } from './protocol/seen-answers.ts';
import { Service } from './protocol/service.ts';

/** Checks the options of a client. Throws a `TypeError` that says what is wrong, and never holds the token. */
export function readOptions(options: BursarOptions): Settings {
	refuseUnknown(options, CLIENT_OPTIONS);
	if (!readBoolean('dangerouslyAllowBrowser', options.dangerouslyAllowBrowser)) refuseBrowserPage();
	const { baseUrl = environment('BURSAR_URL'), token = environment('BURSAR_TOKEN') } = options;
	return {
		baseUrl: readBaseUrl(baseUrl, readBoolean('allowInsecureHttp', options.allowInsecureHttp) ?? false),
		token: readToken(token),
		fetch: readFunction('fetch', options.fetch) ?? ((...args) => globalThis.fetch(...args)),
		headers: readHeaders(options.headers),
		onEvent: readFunction('onEvent', options.onEvent),
		afterExpiryMs: readDuration('afterExpiryMs', options.afterExpiryMs ?? EFFECT_LIMIT_MS, 0),
		...readPatience(options, { timeoutMs: 10_000, totalTimeoutMs: 60_000, maxAttempts: 4 }),
		service: new Service(),
		seenAnswers: new SeenAnswers(),
	};
}

/** Throws a `TypeError` if a call was given an option that is unknown or of a wrong type. */
export function checkCallOptions(options: ChangeOptions): void {
	refuseUnknown(options, CALL_OPTIONS);
	readFunction('onEvent', options.onEvent);
	const { signal, changeId } = options;
	if (changeId !== undefined) checkChangeId(changeId);
	if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('signal must be an AbortSignal');
}

/** The reference of a give or a take, and the options that every change has. */
export function readTransferOptions({ reference, ...options }: TransferOptions) {
	checkReference(reference);
	return { reference, options };
}

function checkReference(reference: unknown): void {
	if (reference === undefined || (typeof reference === 'string' && isMovementReference(reference))) return;
	throw new TypeError(`reference must have 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters, without spaces`);
}

export function checkChangeId(changeId: unknown): void {
	if (typeof changeId === 'string' && isChangeId(changeId)) return;
	throw new TypeError('changeId must have 16 to 64 characters of A-Z a-z 0-9 - _');
}

type AnyListOptions = SubUserListOptions & StatementOptions & EventListOptions & TopUpListOptions;

/** What the pages of a list are asked with. Throws a `TypeError` if an option is unknown or wrong. */
export function readListOptions(
	options: AnyListOptions,
	known: Readonly<Partial<Record<keyof AnyListOptions, true>>>,
): {
	readonly after: string | undefined;
	readonly body: Readonly<Record<string, unknown>>;
	readonly callOptions: CallOptions;
} {
	refuseUnknown(options, { ...LIST_OPTIONS, ...known });
	const { after, pageRows = MAX_PAGE_ROWS, prefix, state, isUsable, reason, ...others } = options;
	const { from, to, order, reference, types, only, ...callOptions } = others;
	if (!Number.isSafeInteger(pageRows) || pageRows < 1 || pageRows > MAX_PAGE_ROWS) {
		throw new TypeError(`pageRows must be an integer from 1 to ${MAX_PAGE_ROWS}`);
	}
	for (const [name, text] of Object.entries({ after, prefix, state, reason })) {
		if (text !== undefined && typeof text !== 'string') throw new TypeError(`${name} must be a string`);
	}
	readBoolean('isUsable', isUsable);
	if (order !== undefined && order !== 'newest' && order !== 'oldest') {
		throw new TypeError('order must be newest or oldest');
	}
	if (only !== undefined && only !== 'waiting') throw new TypeError('only must be waiting');
	checkReference(reference);
	checkTypes(types);
	checkCallOptions(callOptions);
	const days = { from: readDay('from', from), to: readDay('to', to) };
	const subUsers = { prefix, state, usable: isUsable, reason };
	return { after, body: { limit: pageRows, ...subUsers, types, order, reference, only, ...days }, callOptions };
}

function checkTypes(types: unknown): void {
	if (types === undefined) return;
	const areTexts = Array.isArray(types) && types.length > 0 && types.every((type) => typeof type === 'string');
	if (!areTexts) throw new TypeError('types must be a list of one or more types of events');
}

/** Throws a `TypeError` if an option of `events.follow` is unknown or wrong. */
export function readFollowOptions(options: FollowOptions): FollowedEvents {
	refuseUnknown(options, FOLLOW_OPTIONS);
	const { waitSeconds = FOLLOW_WAIT_SECONDS, onNext, ...listOptions } = options;
	const { after, body, callOptions } = readListOptions(listOptions, { types: true });
	if (!Number.isSafeInteger(waitSeconds) || waitSeconds < 0 || waitSeconds > MAX_EVENT_WAIT_SECONDS) {
		throw new TypeError(`waitSeconds must be an integer from 0 to ${MAX_EVENT_WAIT_SECONDS}`);
	}
	readFunction('onNext', onNext);
	return {
		after,
		types: options.types,
		limit: body.limit as number,
		waitSeconds,
		onNext,
		callOptions: { ...callOptions, totalTimeoutMs: LONGEST_TIMER_MS },
	};
}

function readDay(name: string, date: unknown): string | undefined {
	if (date === undefined) return undefined;
	if (date instanceof Date && !Number.isNaN(date.getTime())) return date.toISOString().slice(0, 10);
	throw new TypeError(`${name} must be a valid Date`);
}

/** Timers take no more than a signed 32-bit number of milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const FOLLOW_WAIT_SECONDS = 20;

const PATIENCE: Readonly<Record<keyof Patience, true>> = { timeoutMs: true, totalTimeoutMs: true, maxAttempts: true };

const LIST_OPTIONS: Readonly<Record<keyof ListOptions, true>> = {
	...PATIENCE,
	signal: true,
	onEvent: true,
	after: true,
	pageRows: true,
};

const FOLLOW_OPTIONS: Readonly<Record<keyof FollowOptions, true>> = {
	after: true,
	types: true,
	pageRows: true,
	waitSeconds: true,
	onNext: true,
	timeoutMs: true,
	signal: true,
	onEvent: true,
};

const CALL_OPTIONS: Readonly<Record<keyof ChangeOptions, true>> = {
	...PATIENCE,
	signal: true,
	onEvent: true,
	changeId: true,
};

const CLIENT_OPTIONS: Readonly<Record<keyof BursarOptions, true>> = {
	...PATIENCE,
	baseUrl: true,
	token: true,
	fetch: true,
	headers: true,
	onEvent: true,
	afterExpiryMs: true,
	allowInsecureHttp: true,
	dangerouslyAllowBrowser: true,
};

/** Otherwise a misspelt option would count as absent. */
function refuseUnknown(options: unknown, known: Readonly<Record<string, true>>): void {
	if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object');
	const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
	if (unknown !== undefined) throw new TypeError(`${unknown} is not an option here`);
}

/** The call's own values; for each that it leaves out, the client's. */
export function readPatience(asked: Patience, otherwise: Required<Patience>): Required<Patience> {
	const maxAttempts = asked.maxAttempts ?? otherwise.maxAttempts;
	if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 1) throw new TypeError('maxAttempts must be an integer >= 1');
	return {
		timeoutMs: readDuration('timeoutMs', asked.timeoutMs ?? otherwise.timeoutMs, 1),
		totalTimeoutMs: readDuration('totalTimeoutMs', asked.totalTimeoutMs ?? otherwise.totalTimeoutMs, 1),
		maxAttempts,
	};
}

/** The token must never be in client-side code (docs/api.md 5.2). */
function refuseBrowserPage(): void {
	const scope = globalThis as { document?: unknown; window?: unknown; importScripts?: unknown; location?: unknown };
	const isPage = scope.window !== undefined && scope.document !== undefined;
	const isWorkerOfPage = typeof scope.importScripts === 'function' && scope.location !== undefined;
	if (isPage || isWorkerOfPage) {
		throw new TypeError(
			'This client holds the reseller token, which must never be in a browser: call it on a server (a test with a window sets dangerouslyAllowBrowser)',
		);
	}
}

/** Refuses a token that does not fit into a header: the error of `fetch` would repeat it. */
function readToken(token: string | undefined): string {
	if (token === undefined) throw new TypeError('token is missing: give it, or set BURSAR_TOKEN');
	if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
		throw new TypeError('token must be visible ASCII characters, without spaces or line ends');
	}
	return token;
}

/** Read only if the option is missing: some runtimes ask for permission to read the environment. */
function environment(name: 'BURSAR_URL' | 'BURSAR_TOKEN'): string | undefined {
	const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
	return process?.env?.[name] || undefined;
}

function readDuration(name: string, ms: number, least: number): number {
	if (typeof ms !== 'number' || !(ms >= least && ms <= LONGEST_TIMER_MS)) {
		throw new TypeError(`${name} must be a number of milliseconds from ${least} to ${LONGEST_TIMER_MS}`);
	}
	return ms;
}

function readBoolean(name: string, value: unknown): boolean | undefined {
	if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
	return value;
}

function readFunction<Fn>(name: string, value: Fn): Fn {
	if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function`);
	return value;
}

/** The caller's own headers. They can replace neither the client's nor those that tell where a request ends. */
function readHeaders(headers: unknown = {}): Headers {
	if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
		throw new TypeError('headers must be an object of names and values');
	}
	const read = new Headers({ 'User-Agent': `bursar-client/${manifest.version}` });
	for (const [name, value] of Object.entries(headers)) {
		if (RESERVED_HEADERS.has(name.toLowerCase())) throw new TypeError(`the header ${name} is set by the client itself`);
		if (typeof value !== 'string') throw new TypeError(`the header ${name} must be a string`);
		// The value is not repeated: it may be a secret.
		try {
			read.set(name, value);
		} catch {
			throw new TypeError('headers holds a name or a value that no header can have');
		}
	}
	return read;
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
	'accept',
	'authorization',
	'connection',
	'content-encoding',
	'content-length',
	'content-type',
	'expect',
	'host',
	'transfer-encoding',
	'upgrade',
	// Each request needs an id of its own, by which the client recognises a late answer.
	'x-request-id',
	REQUEST_EXPIRES_HEADER.toLowerCase(),
	CHANGE_ID_HEADER.toLowerCase(),
]);
