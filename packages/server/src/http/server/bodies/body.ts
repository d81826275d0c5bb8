import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentResponse } from '../connections/one-at-a-time.ts';
import { CLIENT_GONE } from '../failure-of.ts';
import type { BodyBudget } from './body-budget.ts';
import { parseJsonObject } from './json-object.ts';

/** The bytes of the body, or the reason why it was not read. */
type RawBody = { readonly bytes: Buffer } | { readonly refused: RawRefusal };

type RawRefusal = 'expectation_failed' | 'payload_too_large' | 'unavailable';
type BodyRefusal = RawRefusal | 'unsupported_media_type' | 'invalid_request';
export type JsonBody = { readonly value: Record<string, unknown> } | { readonly refused: BodyRefusal };

declare module 'fastify' {
	interface FastifyRequest {
		/** The limits of the innermost scope that has its own. */
		bodyLimits: BodyLimits | undefined;
	}
}

interface BodyLimits {
	/** At most so much of a body is kept. */
	readonly maxBytes: number;
	readonly shared?: SharedLimit | undefined;
}

const APPLICATION_JSON = /^application\/json\s*(?:;|$)/i;

/**
 * Every body reaches its route. Each authenticated POST that arrives whole is an invocation, and a `create` whose body
 * cannot be read still costs the fee, so Fastify must neither refuse nor read any body. At most `maxBytes` of a body are
 * kept. Only POST has a body here: that of another method is never read.
 *
 * A parser of Fastify for all content types is not enough: Fastify refuses a malformed content type before it asks any
 * parser. It also makes an asynchronous resource for each request (docs/decisions/0042-processor-time.md).
 * @bound No body of another method than POST is read: it is dropped.
 */
export function acceptAnyBody(app: FastifyInstance, maxBytes: number): void {
	for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
	app.decorateRequest('bodyLimits', undefined);
	app.addHook('preValidation', (request, _reply, done) => {
		if (request.method !== 'POST') return done();
		takeBody(request, request.bodyLimits ?? { maxBytes }, (error, body) => {
			request.body = body;
			done(error ?? undefined);
		});
	});
}

/** What large bodies may take together, and who has sent one. */
export interface SharedLimit {
	readonly budget: BodyBudget;
	readonly ownerOf: (request: FastifyRequest) => string;
}

/** Sets other limits for the routes of a scope. A body that finds no room is refused as `unavailable`. */
export function limitBodies(app: FastifyInstance, maxBytes: number, shared?: SharedLimit): void {
	const limits = { maxBytes, shared };
	app.addHook('onRequest', (request, _reply, done) => {
		request.bodyLimits = limits;
		done();
	});
}

type TakenBody = (error: Error | null, body?: RawBody) => void;

function takeBody(request: FastifyRequest, { maxBytes, shared }: BodyLimits, done: TakenBody): void {
	const payload = request.raw;
	if (isExpectationUnmet(request)) {
		// The client may wait for `100 Continue`, which it does not get.
		payload.resume();
		markDecided(payload);
		done(null, { refused: 'expectation_failed' });
	} else {
		readBody(payload, maxBytes, shared && roomFor(request, payload, shared), done);
	}
}

const DECIDED = Symbol('body decided');

function markDecided(payload: IncomingMessage & { [DECIDED]?: true }): void {
	payload[DECIDED] = true;
}

/** Whether the route has everything that it will get of the body. Its answer then does not depend on the rest. */
export function isBodyDecided(request: IncomingMessage & { [DECIDED]?: true }): boolean {
	return request[DECIDED] === true;
}

/** Whether the request expects anything other than `100-continue` (RFC 9110, section 10.1.1). Node joins repeated headers. */
export function isExpectationUnmet({ headers }: FastifyRequest): boolean {
	return headers.expect?.split(',').some((expected) => expected.trim().toLowerCase() !== '100-continue') ?? false;
}

/** The body as it was sent. */
export function rawBodyOf(request: FastifyRequest): RawBody {
	return request.body as RawBody;
}

/**
 * The body as a JSON object. Refuses in the order of docs/api.md 4.2: 413, 415, 400. An unmet expectation (417) comes
 * before them, because the client may hold the body back until it is met. `lenient` accepts any content type.
 */
export function jsonBodyOf(request: FastifyRequest, intake: { readonly lenient: boolean }): JsonBody {
	const body = jsonTextOf(request, intake);
	if (typeof body !== 'string') return body;
	const value = parseJsonObject(body);
	return value ? { value } : { refused: 'invalid_request' };
}

/** The text of the body before it is parsed. Refuses like `jsonBodyOf`. */
export function jsonTextOf(
	request: FastifyRequest,
	{ lenient }: { readonly lenient: boolean },
): string | { readonly refused: BodyRefusal } {
	const raw = rawBodyOf(request);
	if ('refused' in raw) return raw;
	const type = request.headers['content-type'] ?? '';
	if (!lenient && !APPLICATION_JSON.test(type.trim())) return { refused: 'unsupported_media_type' };
	return isUtf8(raw.bytes) ? raw.bytes.toString('utf8') : { refused: 'invalid_request' };
}

/**
 * A body up to this length takes no room of the budget: to account for it would cost more than it does.
 * @bound A body that takes no room of the budget for large bodies: a longer one does.
 */
const SMALL_BYTES = 16 * 1024;

/** Takes room for the next bytes of a body. It is given back when the request has been answered. */
type TakeRoom = (length: number, more: number) => boolean;

function roomFor(request: FastifyRequest, payload: IncomingMessage, { budget, ownerOf }: SharedLimit): TakeRoom {
	let taken = 0;
	return (length, more) => {
		if (length <= SMALL_BYTES) return true;
		const owner = ownerOf(request);
		const bytes = taken === 0 ? length : more;
		if (!budget.take(owner, bytes)) return false;
		if (taken === 0) currentResponse(payload.socket)?.once('close', () => budget.release(owner, taken));
		taken += bytes;
		return true;
	};
}

/**
 * Reads up to the limit. A longer body is answered at once. The rest is then read and dropped until the request times
 * out: a client that is still sending when the connection closes may lose its answer.
 */
function readBody(payload: IncomingMessage, maxBytes: number, takeRoom: TakeRoom = () => true, done: TakenBody): void {
	let chunks: Buffer[] = [];
	let length = 0;
	let answered = false;
	function answer(error: Error | null, body?: RawBody): void {
		if (answered) return;
		answered = true;
		chunks = [];
		markDecided(payload);
		done(error, body);
	}
	payload.on('data', (chunk: Buffer) => {
		if (answered) return;
		length += chunk.length;
		if (length > maxBytes) answer(null, { refused: 'payload_too_large' });
		else if (!takeRoom(length, chunk.length)) answer(null, { refused: 'unavailable' });
		else chunks.push(chunk);
	});
	payload.on('end', () => answer(null, { bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }));
	payload.on('error', (error) => answer(error));
	function gone(): void {
		// Every request closes in the end, so this runs for each of them. To make an error takes longer than the rest of a
		// short request: only a request whose body is not decided gets one.
		if (!answered) answer(Object.assign(new Error('the client went away'), { code: CLIENT_GONE }));
	}
	payload.on('close', gone);
	// It went away while an earlier hook was at work.
	if (payload.closed) gone();
}
