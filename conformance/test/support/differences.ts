import { type Endpoint, endpoints } from '@bursar/contract';
import type { Exchange, Forward, Reply } from '@bursar/testing/http-relay';

// biome-ignore lint/suspicious/noExplicitAny: bugs read any data
export type Json = any;

/** Whether the request calls that endpoint. */
export function isCallOf(request: Exchange, endpoint: Endpoint): boolean {
	return request.path === endpoint.path && request.method === endpoint.method;
}

/** The body of a request; `undefined` if it is not a JSON object. */
export function jsonOf({ body }: Exchange): Json {
	try {
		const value = JSON.parse(body.toString('utf8'));
		return typeof value === 'object' && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

export function withJson(request: Exchange, value: unknown): Exchange {
	return { ...request, body: Buffer.from(JSON.stringify(value)) };
}

/** The same request with another token. */
export function withToken(request: Exchange, token: string): Exchange {
	return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** Another request with the same token. */
export function ask({ headers }: Exchange, endpoint: Endpoint, fields?: unknown): Exchange {
	const { authorization = '' } = headers;
	const { method, path } = endpoint;
	const bare = { method, path, headers: { host: 'localhost', authorization }, body: Buffer.alloc(0) };
	if (fields === undefined) return bare;
	return withJson({ ...bare, headers: { ...bare.headers, 'content-type': 'application/json' } }, fields);
}

/** The answer with another envelope. An answer to HEAD has none. */
export function withEnvelope(reply: Reply, change: (envelope: Json) => unknown): Reply {
	return reply.body === '' ? reply : { ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) };
}

/** The answer with other data, if it is a success. */
export function withData(reply: Reply, change: (data: Json) => unknown): Reply {
	if (reply.status !== 200) return reply;
	return withEnvelope(reply, (envelope) => ({ ...envelope, data: change(envelope.data) }));
}

/** The answer with that header, or without it if there is no value. */
export function withHeader(reply: Reply, name: string, value?: string): Reply {
	const { [name]: _before, ...headers } = reply.headers;
	return { ...reply, headers: value === undefined ? headers : { ...headers, [name]: value } };
}

/** The answer turned into a failure. */
export function asFailure(reply: Reply, status: number, code: string, message = 'no'): Reply {
	const { timestamp } = JSON.parse(reply.body);
	const { allow: _allow, 'retry-after': _retry, 'www-authenticate': _challenge, ...headers } = reply.headers;
	return {
		status,
		headers: { ...headers, 'x-error-code': code },
		body: JSON.stringify({ status, message, timestamp, data: null }),
	};
}

/** The answer turned into a success. */
export function asSuccess(reply: Reply, data: unknown): Reply {
	const { timestamp } = JSON.parse(reply.body);
	const { 'x-error-code': _code, ...headers } = reply.headers;
	return { status: 200, headers, body: JSON.stringify({ status: 200, message: '', timestamp, data }) };
}

/** The data of a successful answer to this request. */
export async function dataOf(request: Exchange, forward: Forward): Promise<Json> {
	const { status, body } = await forward(request);
	return status === 200 ? JSON.parse(body).data : undefined;
}

/** The balance of the reseller who sent the request, in cents. */
export async function balanceOf(request: Exchange, forward: Forward): Promise<number> {
	return (await dataOf(ask(request, endpoints.myInfo), forward))?.balance ?? 0;
}

/** Whether the text has a field of the API twice. */
export function isDuplicated(body: Buffer): boolean {
	const keys = Array.from(body.toString('utf8').matchAll(/"(username|amount_usd_cents)":/g), ([, key]) => key);
	return new Set(keys).size < keys.length;
}
