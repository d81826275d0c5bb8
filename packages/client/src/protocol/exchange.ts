import { CHANGE_ID_HEADER, CHANGE_ID_HONOURED } from '@bursar/contract/change-id';
import type { Envelope } from '@bursar/contract/envelope';
import {
	ERROR_CODE_HEADER,
	type ErrorCode,
	EVENTS_NEWEST_HEADER,
	EVENTS_OLDEST_HEADER,
	errors,
	REQUEST_ID_HEADER,
	STATEMENT_NEWEST_HEADER,
} from '@bursar/contract/errors';
import { EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';
import { REFERENCE_HEADER } from '@bursar/contract/reference';
import { type Operation, routes } from '@bursar/contract/routes';
import { readEnvelope, readRepeated } from '../answers.ts';
import { ConnectionError, type ErrorDetails, UnavailableError, UnexpectedAnswerError } from '../errors.ts';
import type { Settings } from '../options.ts';
import { readBoundedText } from './bounded-text.ts';
import { isCertificateRefusal, neverSent } from './never-sent.ts';
import { type Failure, type Reply, refusalType } from './reply.ts';

/** One request of the API. */
export interface Exchange<Data> {
	readonly operation: Operation;
	/** Sent as JSON. */
	readonly body?: Readonly<Record<string, unknown>> | undefined;
	/** What a give or a take is for. */
	readonly reference?: string | undefined;
	/** Whether it is a change, or looks for one: then it carries the id and the expiry, and its answer must repeat both. */
	readonly isMarked?: boolean;
	/** How long the service may hold the answer, in milliseconds, beyond the time of a request. */
	readonly heldMs?: number;
	/** Reads the `data` of a success; `undefined` if it does not have the shape of this operation. */
	readonly readData: (data: unknown) => Data | undefined;
}

type Way = Pick<Settings, 'baseUrl' | 'token' | 'fetch' | 'headers' | 'service' | 'seenAnswers'>;

/** What the requests for one change carry. If an answer repeats both, the service knows them and no proxy removes them. */
interface Marks {
	readonly changeId: string;
	/** When the request expires, in Unix seconds of the service's clock. */
	readonly expires: number;
}

/** @bound An answer: reading stops, and it counts as lost. A page of 1,000 rows is far smaller. */
const MOST_BYTES = 1024 ** 2;
/** @bound The characters of the service's message in an error: the rest is left out. */
const MOST_WORDS = 1_000;

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
	const sent = request.isMarked ? marks : undefined;
	const sentAtMs = performance.now();
	let response: Response | undefined;
	try {
		const { method, path } = routes[request.operation];
		const body = request.body && JSON.stringify(request.body);
		const marked = { ...sent, reference: request.reference };
		response = await fetch(way.baseUrl + path, requestInit(way, method, body, marked, signal));
		const text = await readBoundedText(response, MOST_BYTES);
		return text === undefined ? tooLarge(response) : replyOf(way, request, { sent, sentAtMs }, response, text);
	} catch (error) {
		const failure = { type: ConnectionError, message: describe(error, way.token), status: response?.status };
		if (response === undefined && isCertificateRefusal(error)) {
			return { kind: 'refused', failure: { ...failure, willNotPass: true } };
		}
		return { kind: response === undefined && neverSent(error) ? 'not_done' : 'lost', failure };
	}
}

/** What `fetch` sends. `body` is JSON. */
export function requestInit(
	{ token, headers: own }: Pick<Way, 'token' | 'headers'>,
	method: string,
	body: string | undefined,
	marks: (Partial<Marks> & Pick<Exchange<unknown>, 'reference'>) | undefined,
	signal: AbortSignal,
): RequestInit {
	const headers = new Headers(own);
	headers.set('Authorization', `Bearer ${token}`);
	headers.set('Accept', 'application/json');
	if (body !== undefined) headers.set('Content-Type', 'application/json');
	if (marks?.expires !== undefined) headers.set(REQUEST_EXPIRES_HEADER, String(marks.expires));
	if (marks?.changeId !== undefined) headers.set(CHANGE_ID_HEADER, marks.changeId);
	if (marks?.reference !== undefined) headers.set(REFERENCE_HEADER, marks.reference);
	// A redirection could send the token elsewhere.
	return { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) };
}

/** When a request was sent, on the clock of `performance.now()`, and with which marks. */
interface Sent {
	readonly sent: Marks | undefined;
	readonly sentAtMs: number;
}

/** A lost answer: the change may have been done, whatever the answer says. */
function tooLarge({ status }: Response): Reply<never> {
	const message = `the answer is larger than ${MOST_BYTES.toLocaleString('en')} bytes, and was not read to its end`;
	return { kind: 'lost', failure: { type: UnexpectedAnswerError, message, status, willNotPass: true } };
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
	const isRepeated = isOurs && said.requestId !== undefined && seenAnswers.isRepeated(said.requestId);
	if (isRepeated || isOfAnotherRequest(sent.sent, headers)) {
		const message = 'the answer belongs to another request';
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
	const words = redact(envelope.message, token).slice(0, MOST_WORDS) || 'the service gave no reason';
	const message = `${words} (${[status, code].filter(Boolean).join(' ')})`;
	const type = refusalType(code, status);
	const gone = status === 410 ? readPlaces(headers) : undefined;
	const recorded = code === 'change_repeated' ? readRepeated(envelope.data, sent.sent?.changeId) : undefined;
	const failure: Failure = { type: type ?? ConnectionError, message, ...said, retryAfterMs, ...gone, recorded };
	if (type === undefined) return { kind: 'lost', failure };
	return { kind: type === UnavailableError ? 'not_done' : 'refused', failure };
}

/** Whether an answer repeats the id or the expiry of a change that was not sent with this request. */
function isOfAnotherRequest(sent: Marks | undefined, headers: Headers): boolean {
	const changeId = headers.get(CHANGE_ID_HEADER) ?? CHANGE_ID_HONOURED;
	const expires = headers.get(REQUEST_EXPIRES_HEADER) ?? EXPIRY_HONOURED;
	const isOwnId = changeId === CHANGE_ID_HONOURED || changeId === sent?.changeId;
	return !(isOwnId && (expires === EXPIRY_HONOURED || expires === sent?.expires.toString()));
}

function readCode(header: string | null): ErrorCode | undefined {
	return header !== null && Object.hasOwn(errors, header) ? (header as ErrorCode) : undefined;
}

/** Which events and movements there are. */
function readPlaces(headers: Headers): Pick<ErrorDetails, 'events' | 'newestMovement'> {
	const read = (name: string) => {
		const text = headers.get(name);
		return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
	};
	const events = { oldest: read(EVENTS_OLDEST_HEADER), newest: read(EVENTS_NEWEST_HEADER) };
	return { events, newestMovement: read(STATEMENT_NEWEST_HEADER) };
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
	{ service }: Way,
	{ status, timestamp }: Envelope<unknown>,
	{ sent, sentAtMs }: Sent,
	headers: Headers,
): void {
	const isSuccess = status === 200;
	const isOfService =
		isSuccess || headers.has(REQUEST_EXPIRES_HEADER) || readCode(headers.get(ERROR_CODE_HEADER)) !== undefined;
	if (!isOfService || !Number.isSafeInteger(timestamp) || timestamp < 0) return;
	const honours = [
		isHonoured(sent?.changeId, headers.get(CHANGE_ID_HEADER), isSuccess),
		isHonoured(sent?.expires.toString(), headers.get(REQUEST_EXPIRES_HEADER), isSuccess),
	];
	const areHonoured = honours.includes(false) ? false : honours.includes(undefined) ? undefined : true;
	service.note({ timestamp, sentAtMs, isHonoured: areHonoured });
}

/** Whether the service honours a header: it repeats the sent value. `undefined`: the answer cannot tell. */
function isHonoured(sent: string | undefined, said: string | null, isSuccess: boolean): boolean | undefined {
	if (said === null) return false;
	if (sent !== undefined && said === sent) return true;
	// The service may refuse a request before it has read its headers. That refusal cannot repeat the value.
	return sent !== undefined && isSuccess ? false : undefined;
}

/** The messages of an error and of its causes. The error objects of some `fetch` hold the request with its token. */
export function describe(error: unknown, token: string): string {
	const messages: string[] = [];
	for (let at = error; at instanceof Error && messages.length < 4; at = at.cause) messages.push(at.message);
	return redact(messages.filter(Boolean).join(': ') || 'the request failed', token);
}

function redact(text: string, token: string): string {
	return text.replaceAll(token, '[token]');
}
