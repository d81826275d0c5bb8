import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lenientHeaders, type ReceivedAnswer } from './answer.ts';

/** No answer came: the service cannot be reached, was too slow, or broke the connection. */
export class CallError extends Error {
	override readonly name = 'CallError';
}

/** How long a call may take. */
export interface Limits {
	readonly timeoutMs: number;
	/** Breaks it off before. */
	readonly abandon: AbortSignal;
}

/** A `view_all` of half a million sub-users fits; an answer without an end must not fill the memory. */
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
 * Makes one call on a connection of its own: on a kept one, a call that was lost because the service
 * had just closed it could not be told from one that was made, and repeating a create costs a fee.
 */
export function sendCall(call: HttpCall, { timeoutMs, abandon }: Limits): Promise<ReceivedAnswer> {
	const { method, url, body, isChunked = false } = call;
	const request = url.protocol === 'https:' ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		const limit = AbortSignal.timeout(timeoutMs);
		const signal = AbortSignal.any([limit, abandon]);
		const fail = (error: Error) => reject(callError(error, limit, timeoutMs));
		// Node says the length of a body by itself for some methods only. Unsaid, it would be taken for another request.
		const framing = isChunked ? { 'transfer-encoding': 'chunked' } : lengthOf(body);
		const sent: ClientRequest = request(url, {
			method,
			headers: { ...framing, ...call.headers },
			agent: false,
			signal,
		});
		let isAnswered = false;
		sent.on('error', (error) => {
			// Once the answer has begun, its own end tells whether it is whole.
			if (!isAnswered) fail(error);
		});
		sent.on('response', (response) => {
			isAnswered = true;
			readWhole(response).then(resolve, fail);
		});
		// Two of them: what takes the first one for the whole shows.
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
	const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, place) => {
		return [rawHeaders[place * 2] as string, rawHeaders[place * 2 + 1] as string] as const;
	});
	return {
		status: response.statusCode ?? 0,
		headers: lenientHeaders(pairs),
		text: Buffer.concat(chunks).toString('utf8'),
	};
}

/** Every cause in one sentence: the errors of Node name addresses and system calls, or nothing at all. */
export function callError(error: Error, limit: AbortSignal, timeoutMs: number): CallError {
	if (error instanceof CallError) return error;
	if (limit.aborted) return new CallError(`no whole answer within ${timeoutMs / 1000} seconds`);
	const { code } = error as NodeJS.ErrnoException;
	const reason = CAUSES[code ?? ''] ?? `${error.message || 'the call failed'}${code ? ` (${code})` : ''}`;
	return new CallError(reason, { cause: error });
}

const CAUSES: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at that address',
	ENOTFOUND: 'there is no host of that name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	ECONNRESET: 'the connection was broken before the answer was whole',
	EPROTO: 'what answers there does not speak TLS as it should',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted: name its authority in NODE_EXTRA_CA_CERTS',
};
