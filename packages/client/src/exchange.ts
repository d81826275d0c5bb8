import { ERROR_CODE_HEADER, type ErrorCode, errors, REQUEST_ID_HEADER } from '@bursar/contract/errors';
import { type Operation, routes } from '@bursar/contract/routes';
import { readEnvelope } from './answers.ts';
import { readBoundedText } from './bounded-text.ts';
import { ConnectionError, UnavailableError, UnexpectedAnswerError } from './errors.ts';
import type { Settings } from './options.ts';
import { type Failure, type Reply, refusalType } from './reply.ts';

/** One request of the API. */
export interface Exchange<Data> {
	readonly operation: Operation;
	/** Sent as JSON. */
	readonly body?: Readonly<Record<string, unknown>> | undefined;
	/** The `data` of a success; `undefined` where it is not of the shape that this operation answers. */
	readonly readData: (data: unknown) => Data | undefined;
}

type Way = Pick<Settings, 'baseUrl' | 'token' | 'fetch' | 'maxListBytes'>;

/** Far more than any answer has, but for the list of all sub-users. */
const MOST_BYTES = 64 * 1024;

/**
 * Sends a request once, and reads what comes of it. It never throws: what goes wrong is a reply too.
 * Only the service's own word counts as certain: an envelope with its code, or where that header was
 * stripped, with a status that says as much. Anything that another party could have said is a lost answer.
 */
export async function exchange<Data>(way: Way, request: Exchange<Data>, signal: AbortSignal): Promise<Reply<Data>> {
	// Called by itself: some runtimes refuse a `fetch` that is a method of something.
	const { fetch } = way;
	let response: Response | undefined;
	try {
		response = await fetch(...fetchArguments(way, request, signal));
		const mostBytes = request.operation === 'viewAllSubUsers' ? way.maxListBytes : MOST_BYTES;
		const text = await readBoundedText(response, mostBytes);
		return text === undefined ? tooLarge(response, mostBytes) : replyOf(way, request, response, text);
	} catch (error) {
		const failure = { type: ConnectionError, message: describe(error, way.token), status: response?.status };
		return { kind: response === undefined && neverConnected(error) ? 'not_done' : 'lost', failure };
	}
}

function fetchArguments<Data>(
	{ baseUrl, token }: Way,
	{ operation, body }: Exchange<Data>,
	signal: AbortSignal,
): [string, RequestInit] {
	const { method, path } = routes[operation];
	const headers = new Headers({ Authorization: `Bearer ${token}`, Accept: 'application/json' });
	if (body !== undefined) headers.set('Content-Type', 'application/json');
	// Redirections are not followed: they could lead the token elsewhere, or the request twice to the service.
	const init: RequestInit = { method, headers, signal, redirect: 'manual' };
	if (body === undefined) return [baseUrl + path, init];
	// Some runtimes send a request again by themselves when a connection closes without an answer. The Fetch
	// standard lets none do so with a stream, which can be read only once.
	const stream = new Blob([JSON.stringify(body)]).stream();
	return [baseUrl + path, { ...init, body: stream, duplex: 'half' } as RequestInit];
}

/** Whatever it would have said, a change may have been done. */
function tooLarge({ status }: Response, mostBytes: number): Reply<never> {
	const message = `the answer is larger than ${mostBytes.toLocaleString('en')} bytes, and was not read on`;
	return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, status, isTooLarge: true } };
}

function replyOf<Data>({ token }: Way, request: Exchange<Data>, response: Response, text: string): Reply<Data> {
	const { status, headers } = response;
	const envelope = readEnvelope(text, status);
	const code = readCode(headers.get(ERROR_CODE_HEADER));
	const said = { code, status, requestId: redact(headers.get(REQUEST_ID_HEADER) ?? '', token) || undefined };
	const retryAfterMs = readRetryAfter(headers.get('Retry-After'));

	if (envelope === undefined) {
		const message = `the answer is not of this API (HTTP status ${status})`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said, retryAfterMs } };
	}
	if (status === 200) {
		const data = request.readData(envelope.data);
		if (data !== undefined) return { kind: 'answered', data };
		const message = `the answer to ${request.operation} has not the fields that it should have`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said } };
	}
	const words = redact(envelope.message, token) || 'the service gave no reason';
	const message = `${words} (${[status, code].filter(Boolean).join(' ')})`;
	const type = refusalType(code, status);
	const failure: Failure = { type: type ?? ConnectionError, message, ...said, retryAfterMs };
	if (type === undefined) return { kind: 'lost', failure };
	return { kind: type === UnavailableError ? 'not_done' : 'refused', failure };
}

function readCode(header: string | null): ErrorCode | undefined {
	return header !== null && Object.hasOwn(errors, header) ? (header as ErrorCode) : undefined;
}

/** Seconds or a date, as HTTP has it; in milliseconds. */
function readRetryAfter(header: string | null): number | undefined {
	if (header === null) return undefined;
	const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return ms >= 0 ? ms : undefined;
}

/** Node and Bun say where a connection failed. Other runtimes do not: there, a failure counts as a lost answer. */
function neverConnected(error: unknown): boolean {
	const { cause } = (error ?? {}) as { cause?: unknown };
	const { errors: each = [cause] } = (cause ?? {}) as { errors?: unknown[] };
	return each.length > 0 && each.every(isOfConnecting);
}

function isOfConnecting(error: unknown): boolean {
	const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
	return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * The messages of an error and of its causes. The objects themselves are not handed on: those of some
 * `fetch` hold the request, and the token with it.
 */
function describe(error: unknown, token: string): string {
	const messages: string[] = [];
	for (let at = error; at instanceof Error && messages.length < 4; at = at.cause) messages.push(at.message);
	return redact(messages.filter(Boolean).join(': ') || 'the request failed', token);
}

function redact(text: string, token: string): string {
	return text.replaceAll(token, '[token]');
}
