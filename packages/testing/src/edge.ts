import assert from 'node:assert/strict';
import { type EdgeFailure, edgeRoutes } from '@bursar/contract/edge';
import { bodyOf, sendRequest } from './send-request.ts';

/** A complete answer of the edge listener. */
export interface EdgeAnswer {
	readonly status: number;
	readonly headers: Headers;
	/** The stable code of a failure; `null` on success. */
	readonly errorCode: string | null;
	// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
	readonly body: any;
	readonly text: string;
}

export interface EdgeCallOptions {
	/** Strings and bytes are sent as they are; anything else as JSON. */
	readonly body?: unknown;
	readonly key?: string | undefined;
	readonly headers?: Readonly<Record<string, string>>;
	readonly method?: string;
}

/** Calls any path of the edge listener. Throws unless the answer has its form. */
export async function callEdge(edgeUrl: string, path: string, options: EdgeCallOptions = {}): Promise<EdgeAnswer> {
	const { body, key, headers, method = body === undefined ? 'GET' : 'POST' } = options;
	const answer = await sendRequest(edgeUrl + path, {
		method,
		headers: {
			...(key !== undefined && { authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		body: bodyOf(body),
	});
	return checkEdgeAnswer(answer.status, answer.headers, answer.text);
}

/** Throws unless this is an answer of the edge listener: bare JSON, and a failure names its code twice. */
export function checkEdgeAnswer(status: number, headers: Headers, text: string): EdgeAnswer {
	assert.match(headers.get('content-type') ?? '', /^application\/json/);
	assert.equal(headers.get('cache-control'), 'no-store');
	assert.ok(headers.get('x-request-id'));
	const body = JSON.parse(text);
	const errorCode = headers.get('x-error-code');
	if (status === 200) {
		assert.equal(errorCode, null);
	} else {
		const { error, message, ...rest } = body as EdgeFailure;
		assert.deepEqual(rest, {});
		assert.equal(error, errorCode, 'a failure carries its code');
		assert.notEqual(message, '');
		const saysWhen = error === 'unavailable' || error === 'too_many_tries';
		assert.equal(headers.has('retry-after'), saysWhen, 'Retry-After exactly where waiting helps');
		assert.equal(headers.has('www-authenticate'), status === 401);
		assert.equal(headers.has('allow'), status === 405);
	}
	return { status, headers, errorCode, body, text };
}

/** The operations for one edge. */
export function edgeApi(edgeUrl: string, key: string) {
	const post = (path: string) => (body: unknown, options?: EdgeCallOptions) =>
		callEdge(edgeUrl, path, { body, key, ...options });
	return {
		check: post(edgeRoutes.check.path),
		usage: post(edgeRoutes.usage.path),
	};
}
