import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CLIENT_GONE } from './failure-of.ts';
import { parseJsonObject } from './json-object.ts';

/** The bytes of the body, or the reason why it was not read. */
type RawBody = { readonly bytes: Buffer } | { readonly refused: 'expectation_failed' | 'payload_too_large' };

type BodyRefusal = 'expectation_failed' | 'payload_too_large' | 'unsupported_media_type' | 'invalid_request';
export type JsonBody = { readonly value: Record<string, unknown> } | { readonly refused: BodyRefusal };

declare module 'fastify' {
	interface FastifyRequest {
		/** The `Content-Type` header, hidden from Fastify. */
		bodyType: string | undefined;
	}
}

const APPLICATION_JSON = /^application\/json\s*(?:;|$)/i;

/**
 * Every body reaches its route. A `create` whose body cannot be read still costs the fee, so the framework must not
 * refuse any body. At most `maxBytes` of a body are kept.
 */
export function acceptAnyBody(app: FastifyInstance, maxBytes: number): void {
	app.decorateRequest('bodyType', undefined);
	limitBodies(app, maxBytes);
}

/** Sets another limit for the routes of a scope. */
export function limitBodies(app: FastifyInstance, maxBytes: number): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (request, payload, done) => {
		if (!isExpectationUnmet(request)) return readBody(payload, maxBytes, done);
		// The client may wait for `100 Continue`, which it does not get.
		payload.resume();
		markDecided(payload);
		done(null, { refused: 'expectation_failed' } satisfies RawBody);
	});
}

const DECIDED = Symbol('body decided');

function markDecided(payload: IncomingMessage & { [DECIDED]?: true }): void {
	payload[DECIDED] = true;
}

/** Whether the route has everything that it will get of the body. Its answer then does not depend on the rest. */
export function isBodyDecided(request: IncomingMessage & { [DECIDED]?: true }): boolean {
	return request[DECIDED] === true;
}

/** Whether the request expects anything other than `100-continue` (RFC 9110, section 10.1.1). */
export function isExpectationUnmet({ headers }: FastifyRequest): boolean {
	return headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue';
}

/** Hides the content type from Fastify, which would refuse an ill-formed one before the route is reached. */
export function hideContentType(request: FastifyRequest): void {
	const { headers } = request.raw;
	request.bodyType = headers['content-type'];
	headers['content-type'] = undefined;
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
	const raw = (request.body ?? { bytes: Buffer.alloc(0) }) as RawBody;
	if ('refused' in raw) return raw;
	if (isExpectationUnmet(request)) return { refused: 'expectation_failed' };
	if (!lenient && !APPLICATION_JSON.test(request.bodyType?.trim() ?? '')) return { refused: 'unsupported_media_type' };
	return isUtf8(raw.bytes) ? raw.bytes.toString('utf8') : { refused: 'invalid_request' };
}

/**
 * Reads up to the limit. A longer body is answered at once. The rest is then read and dropped until the request times
 * out: a client that is still sending when the connection closes may lose its answer.
 */
function readBody(
	payload: IncomingMessage,
	maxBytes: number,
	done: (error: Error | null, body?: RawBody) => void,
): void {
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
		else chunks.push(chunk);
	});
	payload.on('end', () => answer(null, { bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }));
	payload.on('error', (error) => answer(error));
	payload.on('close', () => {
		if (!answered) answer(Object.assign(new Error('the client went away'), { code: CLIENT_GONE }));
	});
}
