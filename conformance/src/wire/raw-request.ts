import type { Session } from '../run/session.ts';
import type { Answer } from './answer.ts';
import { creatorOf, type RawRequest, urlOf } from './wire.ts';

export interface RawRequestOptions {
	readonly token?: string;
	/** Complete header lines, in their order. */
	readonly headers?: readonly string[];
	/** Sent as JSON. */
	readonly body?: unknown;
	/** Leaves the `Host` line out. */
	readonly withoutHost?: boolean;
}

/** The text of a request to a path below the base address. Adds the length and the type of the body. */
export function rawRequest(baseUrl: URL, method: string, path: string, options: RawRequestOptions = {}): RawRequest {
	const { token, headers = [], body, withoutHost = false } = options;
	const text = body === undefined ? '' : JSON.stringify(body);
	const { pathname, host } = urlOf(baseUrl, path);
	const lines = [
		`${method} ${pathname} HTTP/1.1`,
		...(withoutHost ? [] : [`Host: ${host}`]),
		...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
		...headers,
		...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
	];
	return {
		text: `${lines.join('\r\n')}\r\n\r\n${text}`,
		method,
		path,
		createdBy: creatorOf(method, path, token),
	};
}

/** Bytes that are sent unchanged. Failures show `name` for them. */
export function rawBytes(name: string, text: string | Uint8Array, method = ''): RawRequest {
	return { text, method, path: name, createdBy: undefined };
}

/** Sends the requests at once on a new connection, and gives the answers. */
export async function sendAll(
	{ wire }: Session,
	requests: readonly RawRequest[],
	timeoutMs?: number,
): Promise<readonly Answer[]> {
	const connection = await wire.connect(requests);
	try {
		connection.sendAll();
		return await connection.answers(requests.length, timeoutMs);
	} finally {
		connection.close();
	}
}
