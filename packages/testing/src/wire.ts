import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { checkEnvelope } from './api.ts';

/** What became of a request that was sent to a server which may die at any moment. */
export type Reply =
	/** A whole answer, in the envelope. */
	| {
			readonly kind: 'answered';
			readonly status: number;
			readonly errorCode: string | null;
			readonly requestId: string;
			readonly mayRepeat: boolean;
			// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
			readonly data: any;
	  }
	/** Nobody listened: it was not sent. */
	| { readonly kind: 'refused' }
	/** The connection ended, or was found ended, before the first byte of an answer. */
	| { readonly kind: 'lost' }
	/** The connection ended in the middle of the answer. */
	| { readonly kind: 'torn' };

/** One connection to the server, opened anew whenever it was closed, with one request on it at a time. */
export interface Connection {
	send(url: string, path: string, options: { readonly token: string; readonly body?: unknown }): Promise<Reply>;
	close(): void;
}

const ANSWER_LIMIT_MS = 30_000;

export function openConnection(): Connection {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	return {
		send: (url, path, { token, body }) =>
			new Promise((resolve, reject) => {
				const text = body === undefined ? undefined : JSON.stringify(body);
				let bytesBefore: number | undefined;
				const sent = request(url + path, {
					agent,
					method: text === undefined ? 'GET' : 'POST',
					headers: {
						authorization: `Bearer ${token}`,
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
	assert.equal(mayRepeat, errorCode === 'unavailable', 'Retry-After stands exactly where nothing was done');
	return { kind: 'answered', status, errorCode, requestId: headers.get('x-request-id') as string, mayRepeat, data };
}
