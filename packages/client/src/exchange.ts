import type { Envelope } from '@bursar/contract/envelope';
import { ERROR_CODE_HEADER, type ErrorCode, errors, REQUEST_ID_HEADER } from '@bursar/contract/errors';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import { type Operation, routes } from '@bursar/contract/routes';
import { readEnvelope } from './answers.ts';
import { readBoundedText } from './bounded-text.ts';
import { ConnectionError, UnavailableError, UnexpectedAnswerError } from './errors.ts';
import { neverSent } from './never-sent.ts';
import type { Settings } from './options.ts';
import { type Failure, type Reply, refusalType } from './reply.ts';
import type { ServiceClock } from './service-clock.ts';

/** One request of the API. */
export interface Exchange<Data> {
	readonly operation: Operation;
	/** Sent as JSON. */
	readonly body?: Readonly<Record<string, unknown>> | undefined;
	/** The `data` of a success; `undefined` if it is not of the shape that this operation answers. */
	readonly readData: (data: unknown) => Data | undefined;
}

type Way = Pick<Settings, 'baseUrl' | 'token' | 'fetch' | 'maxListBytes' | 'headers' | 'clock' | 'seenAnswers'>;

/** A request on its way. */
interface Sent {
	/** When it expires, in Unix seconds by the service's clock; `undefined` while that clock is not known. */
	readonly expires: number | undefined;
	/** On the clock of `performance.now()`. */
	readonly sentAtMs: number;
}

/** Far more than any answer has, but for the list of all sub-users. */
const MOST_BYTES = 64 * 1024;

/**
 * Sends a request once, and reads what comes of it. It never throws: what goes wrong is a reply too.
 * Only the service's own word counts as certain: an envelope with its code, or where that header was
 * stripped, with a status that says as much. Anything that another party could have said is a lost answer.
 */
export async function exchange<Data>(
	way: Way,
	request: Exchange<Data>,
	expires: number | undefined,
	signal: AbortSignal,
): Promise<Reply<Data>> {
	// Called by itself: some runtimes refuse a `fetch` that is a method of something.
	const { fetch } = way;
	const sent = { expires, sentAtMs: performance.now() };
	let response: Response | undefined;
	try {
		response = await fetch(...fetchArguments(way, request, expires, signal));
		const mostBytes = request.operation === 'viewAllSubUsers' ? way.maxListBytes : MOST_BYTES;
		const text = await readBoundedText(response, mostBytes);
		return text === undefined ? tooLarge(response, mostBytes) : replyOf(way, request, sent, response, text);
	} catch (error) {
		const failure = { type: ConnectionError, message: describe(error, way.token), status: response?.status };
		return { kind: response === undefined && neverSent(error) ? 'not_done' : 'lost', failure };
	}
}

function fetchArguments<Data>(
	{ baseUrl, token, headers: own }: Way,
	{ operation, body }: Exchange<Data>,
	expires: number | undefined,
	signal: AbortSignal,
): [string, RequestInit] {
	const { method, path } = routes[operation];
	const headers = new Headers(own);
	headers.set('Authorization', `Bearer ${token}`);
	headers.set('Accept', 'application/json');
	// Reads carry it too: the service repeats it, which shows that it honours it and that nothing strips it on the way.
	if (expires !== undefined) headers.set(REQUEST_EXPIRES_HEADER, String(expires));
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

function replyOf<Data>(
	{ token, clock, seenAnswers }: Way,
	request: Exchange<Data>,
	sent: Sent,
	response: Response,
	text: string,
): Reply<Data> {
	const { status, headers } = response;
	const envelope = readEnvelope(text, status);
	const code = readCode(headers.get(ERROR_CODE_HEADER));
	const said = { code, status, requestId: redact(headers.get(REQUEST_ID_HEADER) ?? '', token) || undefined };
	const retryAfterMs = readRetryAfter(headers.get('Retry-After'));

	if (envelope === undefined) {
		const message = `the answer is not of this API (HTTP status ${status})`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said, retryAfterMs } };
	}
	// On a connection that something in between keeps, each answer could be that to the request before. Only of a
	// service that honours expiry is it known that each request has an id of its own.
	const isOurs = headers.has(REQUEST_EXPIRES_HEADER);
	if (isOurs && said.requestId !== undefined && seenAnswers.isRepeated(said.requestId)) {
		const message = 'the answer is that to an earlier request';
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, status, requestId: said.requestId } };
	}
	if (status === 200) {
		const data = request.readData(envelope.data);
		if (data !== undefined) {
			noteTime(clock, envelope, sent, headers);
			return { kind: 'answered', data, requestId: said.requestId };
		}
		const message = `the answer to ${request.operation} has not the fields that it should have`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said } };
	}
	noteTime(clock, envelope, sent, headers);
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

/**
 * Something in between could have made an answer that is no success, has no code of the service and does not speak
 * of expiry. Such an answer tells nothing.
 */
function noteTime(
	clock: ServiceClock,
	{ status, timestamp }: Envelope<unknown>,
	{ expires, sentAtMs }: Sent,
	headers: Headers,
): void {
	const isSuccess = status === 200;
	const said = headers.get(REQUEST_EXPIRES_HEADER);
	const isOfService = isSuccess || said !== null || readCode(headers.get(ERROR_CODE_HEADER)) !== undefined;
	if (!isOfService || !Number.isSafeInteger(timestamp) || timestamp < 0) return;
	const isRepeated = expires !== undefined && said === String(expires);
	// A refusal of what was not yet read as a request cannot repeat what stands in it.
	const isMissed = said === null || (isSuccess && expires !== undefined && !isRepeated);
	clock.note({ timestamp, sentAtMs, isHonoured: isRepeated || (isMissed ? false : undefined) });
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
