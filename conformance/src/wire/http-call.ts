import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lenientHeaders, type ReceivedAnswer } from './answer.ts';

/** There is no complete answer: the service cannot be reached, was too slow, or broke the connection. */
export class CallError extends Error {
	override readonly name = 'CallError';
}

/** How long a call may take. */
export interface Limits {
	readonly timeoutMs: number;
	/** Ends the call early. */
	readonly abandon: AbortSignal;
}

/** Enough for a `view_all` of half a million sub-users. An endless answer must not fill the memory. */
const MOST_BYTES = 64 * 1024 ** 2;

export interface HttpCall {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array | undefined;
	/** Whether the body is sent in chunks, without its length. */
	readonly isChunked?: boolean;
}

/**
 * Makes one call on a new connection. A service may close a kept connection at any time. Then the suite could not
 * know whether the call was done, and a repeated create costs a fee.
 */
export function sendCall(call: HttpCall, { timeoutMs, abandon }: Limits): Promise<ReceivedAnswer> {
	const { method, url, body, isChunked = false } = call;
	const request = url.protocol === 'https:' ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		const limit = AbortSignal.timeout(timeoutMs);
		const signal = AbortSignal.any([limit, abandon]);
		const fail = (error: Error) => reject(callError(error, limit, timeoutMs));
		// Node adds the length for some methods only. Without it, the body would look like the next request.
		const framing = isChunked ? { 'transfer-encoding': 'chunked' } : lengthOf(body);
		const sent: ClientRequest = request(url, {
			method,
			headers: { ...framing, ...call.headers },
			agent: false,
			signal,
		});
		let isAnswered = false;
		sent.on('error', (error) => {
			// After the answer has begun, readWhole reports a broken connection.
			if (!isAnswered) fail(error);
		});
		sent.on('response', (response) => {
			isAnswered = true;
			readWhole(response).then(resolve, fail);
		});
		// Two chunks, to find a service that reads only the first.
		if (isChunked && body) sent.write(body.subarray(0, body.length / 2));
		sent.end(isChunked && body ? body.subarray(body.length / 2) : body);
	});
}

function lengthOf(body: Uint8Array | undefined): Record<string, string> {
	return body === undefined ? {} : { 'content-length': String(body.byteLength) };
}

async function readWhole(response: IncomingMessage): Promise<ReceivedAnswer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES) throw new CallError(`the answer is longer than ${MOST_BYTES / 1024 ** 2} MiB`);
		chunks.push(chunk);
	}
	const { rawHeaders } = response;
	const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, index) => {
		return [rawHeaders[index * 2] as string, rawHeaders[index * 2 + 1] as string] as const;
	});
	return {
		status: response.statusCode ?? 0,
		headers: lenientHeaders(pairs),
		text: Buffer.concat(chunks).toString('utf8'),
	};
}

/** One sentence for each cause. The errors of Node name addresses and system calls, or say nothing. */
export function callError(error: Error, limit: AbortSignal, timeoutMs: number): CallError {
	if (error instanceof CallError) return error;
	if (limit.aborted) return new CallError(`no complete answer within ${timeoutMs / 1000} seconds`);
	const { code } = error as NodeJS.ErrnoException;
	const reason = CAUSES[code ?? ''] ?? `${error.message || 'the call failed'}${code ? ` (${code})` : ''}`;
	return new CallError(reason, { cause: error });
}

const CAUSES: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at that address',
	ENOTFOUND: 'there is no host with that name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	ECONNRESET: 'the connection was broken before the answer was complete',
	EPROTO: 'the server at that address does not speak TLS correctly',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
};
