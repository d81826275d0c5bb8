import { CHANGE_ID_HEADER } from '@bursar/contract/change-id';
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

/** One request of the API. */
export interface Exchange<Data> {
	readonly operation: Operation;
	/** Sent as JSON. */
	readonly body?: Readonly<Record<string, unknown>> | undefined;
	/** Reads the `data` of a success; `undefined` if it does not have the shape of this operation. */
	readonly readData: (data: unknown) => Data | undefined;
}

type Way = Pick<
	Settings,
	'baseUrl' | 'token' | 'fetch' | 'maxListBytes' | 'headers' | 'clock' | 'changeIds' | 'seenAnswers'
>;

/**
 * The headers of all requests of a call, also of reads. If an answer repeats a value, the service knows that header and no
 * proxy removes it.
 */
interface Marks {
	/** When it expires, in Unix seconds of the service's clock; `undefined` until that clock is known. */
	readonly expires: number | undefined;
	readonly changeId: string;
}

/** A request on its way. */
interface Sent extends Marks {
	/** On the clock of `performance.now()`. */
	readonly sentAtMs: number;
}

/** Far more than any answer has, except lists. */
const MOST_BYTES = 64 * 1024;
/** Far more than a page of a list has. */
const MOST_PAGE_BYTES = 1024 ** 2;

/**
 * Sends a request once, and reads the answer. It never throws: a failure is a reply too. Only the service's own
 * answer is certain: an envelope with a code, or, if a proxy removed that header, with a status that tells the
 * same. An answer that a proxy could have made counts as lost.
 */
export async function exchange<Data>(
	way: Way,
	request: Exchange<Data>,
	marks: Marks,
	signal: AbortSignal,
): Promise<Reply<Data>> {
	// Not called as `way.fetch`: some runtimes refuse a `fetch` with another `this`.
	const { fetch } = way;
	const sent = { ...marks, sentAtMs: performance.now() };
	let response: Response | undefined;
	try {
		response = await fetch(...fetchArguments(way, request, marks, signal));
		const mostBytes = mostBytesOf(way, request.operation);
		const text = await readBoundedText(response, mostBytes);
		return text === undefined ? tooLarge(response, mostBytes) : replyOf(way, request, sent, response, text);
	} catch (error) {
		const failure = { type: ConnectionError, message: describe(error, way.token), status: response?.status };
		return { kind: response === undefined && neverSent(error) ? 'not_done' : 'lost', failure };
	}
}

function mostBytesOf({ maxListBytes }: Way, operation: Operation): number {
	if (operation === 'viewAllSubUsers') return maxListBytes;
	return operation === 'viewSubUserPage' || operation === 'viewStatementPage' ? MOST_PAGE_BYTES : MOST_BYTES;
}

function fetchArguments<Data>(
	{ baseUrl, token, headers: own }: Way,
	{ operation, body }: Exchange<Data>,
	{ expires, changeId }: Marks,
	signal: AbortSignal,
): [string, RequestInit] {
	const { method, path } = routes[operation];
	const headers = new Headers(own);
	headers.set('Authorization', `Bearer ${token}`);
	headers.set('Accept', 'application/json');
	if (expires !== undefined) headers.set(REQUEST_EXPIRES_HEADER, String(expires));
	headers.set(CHANGE_ID_HEADER, changeId);
	if (body !== undefined) headers.set('Content-Type', 'application/json');
	// A redirection could send the token elsewhere, or the request to the service twice.
	const init: RequestInit = { method, headers, signal, redirect: 'manual' };
	if (body === undefined) return [baseUrl + path, init];
	// Some runtimes send a request again by themselves if a connection closes without an answer. The Fetch
	// standard forbids that for a stream, which can be read only once.
	const stream = new Blob([JSON.stringify(body)]).stream();
	return [baseUrl + path, { ...init, body: stream, duplex: 'half' } as RequestInit];
}

/** A lost answer: the change may have been done, whatever the answer says. */
function tooLarge({ status }: Response, mostBytes: number): Reply<never> {
	const message = `the answer is larger than ${mostBytes.toLocaleString('en')} bytes, and was not read to its end`;
	return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, status, isTooLarge: true } };
}

function replyOf<Data>(way: Way, request: Exchange<Data>, sent: Sent, response: Response, text: string): Reply<Data> {
	const { token, seenAnswers } = way;
	const { status, headers } = response;
	const envelope = readEnvelope(text, status);
	const code = readCode(headers.get(ERROR_CODE_HEADER));
	const said = { code, status, requestId: redact(headers.get(REQUEST_ID_HEADER) ?? '', token) || undefined };
	const retryAfterMs = readRetryAfter(headers.get('Retry-After'));

	if (envelope === undefined) {
		const message = `the answer is not from this API (HTTP status ${status})`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said, retryAfterMs } };
	}
	// A proxy that mixes up its connections could give each request the answer to the previous one. Only a service
	// that honours expiry is known to give each request its own id.
	const isOurs = headers.has(REQUEST_EXPIRES_HEADER);
	if (isOurs && said.requestId !== undefined && seenAnswers.isRepeated(said.requestId)) {
		const message = 'the answer belongs to an earlier request';
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, status, requestId: said.requestId } };
	}
	if (status === 200) {
		const data = request.readData(envelope.data);
		if (data !== undefined) {
			noteAnswer(way, envelope, sent, headers);
			return { kind: 'answered', data, requestId: said.requestId };
		}
		const message = `the answer to ${request.operation} does not have the fields that it should have`;
		return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, ...said } };
	}
	noteAnswer(way, envelope, sent, headers);
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

/** The header holds seconds or a date. Returns milliseconds. */
function readRetryAfter(header: string | null): number | undefined {
	if (header === null) return undefined;
	const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return ms >= 0 ? ms : undefined;
}

/**
 * Notes what an answer tells about the service. A proxy could have made an answer that is no success and has neither a
 * code of the service nor an expiry. Such an answer tells nothing.
 */
function noteAnswer(
	{ clock, changeIds }: Way,
	{ status, timestamp }: Envelope<unknown>,
	{ expires, changeId, sentAtMs }: Sent,
	headers: Headers,
): void {
	const isSuccess = status === 200;
	const said = headers.get(REQUEST_EXPIRES_HEADER);
	const isOfService = isSuccess || said !== null || readCode(headers.get(ERROR_CODE_HEADER)) !== undefined;
	if (!isOfService || !Number.isSafeInteger(timestamp) || timestamp < 0) return;
	clock.note({ timestamp, sentAtMs, isHonoured: isHonoured(expires?.toString(), said, isSuccess) });
	changeIds.note(isHonoured(changeId, headers.get(CHANGE_ID_HEADER), isSuccess));
}

/** Whether the service honours a header: it repeats the sent value. `undefined`: the answer cannot tell. */
function isHonoured(sent: string | undefined, said: string | null, isSuccess: boolean): boolean | undefined {
	const isRepeated = sent !== undefined && said === sent;
	// The service may refuse a request before it has read its headers. That refusal cannot repeat the value.
	const isMissed = said === null || (isSuccess && sent !== undefined && !isRepeated);
	return isRepeated || (isMissed ? false : undefined);
}

/** The messages of an error and of its causes. The error objects of some `fetch` hold the request with its token. */
function describe(error: unknown, token: string): string {
	const messages: string[] = [];
	for (let at = error; at instanceof Error && messages.length < 4; at = at.cause) messages.push(at.message);
	return redact(messages.filter(Boolean).join(': ') || 'the request failed', token);
}

function redact(text: string, token: string): string {
	return text.replaceAll(token, '[token]');
}
