import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { checkEnvelope } from './api.ts';

/** The outcome of a request to a server that may die at any moment. */
export type Reply =
	/** A complete answer, in the envelope. */
	| {
			readonly kind: 'answered';
			readonly status: number;
			readonly errorCode: string | null;
			readonly requestId: string;
			readonly mayRepeat: boolean;
			// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
			readonly data: any;
	  }
	/** No server listened, so nothing was sent. */
	| { readonly kind: 'refused' }
	/** The connection ended before the first byte of an answer. */
	| { readonly kind: 'lost' }
	/** The connection ended in the middle of the answer. */
	| { readonly kind: 'torn' };

/** One connection to the server with one request at a time. It is opened again after it was closed. */
export interface Connection {
	send(
		url: string,
		path: string,
		options: { readonly token: string; readonly body?: unknown; readonly changeId?: string },
	): Promise<Reply>;
	close(): void;
}

const ANSWER_LIMIT_MS = 30_000;

export function openConnection(): Connection {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	return {
		send: (url, path, { token, body, changeId }) =>
			new Promise((resolve, reject) => {
				const text = body === undefined ? undefined : JSON.stringify(body);
				let bytesBefore: number | undefined;
				const sent = request(url + path, {
					agent,
					method: text === undefined ? 'GET' : 'POST',
					headers: {
						authorization: `Bearer ${token}`,
						...(changeId !== undefined && { 'x-change-id': changeId }),
						...(text !== undefined && {
							'content-type': 'application/json',
							'content-length': Buffer.byteLength(text),
						}),
					},
					timeout: ANSWER_LIMIT_MS,
				});
				sent.on('socket', (socket) => {
					bytesBefore = socket.bytesRead;
				});
				sent.on('timeout', () => reject(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)));
				sent.on('error', (error: NodeJS.ErrnoException) => {
					if (error.code === 'ECONNREFUSED') return resolve({ kind: 'refused' });
					const hasBegun = (sent.socket?.bytesRead ?? 0) > (bytesBefore ?? 0);
					resolve({ kind: hasBegun ? 'torn' : 'lost' });
				});
				sent.on('response', (response) => void readReply(response).then(resolve, reject));
				sent.end(text);
			}),
		close: () => agent.destroy(),
	};
}

async function readReply(response: IncomingMessage): Promise<Reply> {
	let text = '';
	response.setEncoding('utf8');
	try {
		for await (const chunk of response) text += chunk;
	} catch {
		return { kind: 'torn' };
	}
	if (!response.complete) return { kind: 'torn' };
	const headers = new Headers(response.headers as Record<string, string>);
	const { status, errorCode, data } = checkEnvelope(response.statusCode ?? 0, headers, text);
	const mayRepeat = headers.has('retry-after');
	assert.equal(mayRepeat, errorCode === 'unavailable', 'Retry-After exactly for unavailable');
	return { kind: 'answered', status, errorCode, requestId: headers.get('x-request-id') as string, mayRepeat, data };
}
