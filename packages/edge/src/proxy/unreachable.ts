import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';

/** Why a destination, or the upstream, gave no answer: as the client is told. */
export interface Unreachable {
	readonly status: 502 | 504;
	readonly message: string;
}

export function unreachable({ code }: NodeJS.ErrnoException): Unreachable {
	if (code === 'ETIMEDOUT') return { status: 504, message: 'The destination does not answer.' };
	return { status: 502, message: 'The destination cannot be reached, or its answer cannot be read.' };
}

/** Answers in place of proxy-chain, which would use statuses of its own. */
export function answerUnreachable(response: ServerResponse, { status, message }: Unreachable): void {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'content-length': Buffer.byteLength(message),
	});
	response.end(message);
}

/** Has a CONNECT request that goes to an upstream answered with `answer` if it fails. proxy-chain is told later. */
export function guardUpstreamTunnel(request: ClientRequest, answer: (problem: Unreachable) => void): void {
	request.prependOnceListener('error', (error) => answer(unreachable(error)));
	request.prependOnceListener('connect', ({ statusCode }: IncomingMessage) => {
		if (statusCode !== 200) answer({ status: 502, message: `The upstream proxy answered with status ${statusCode}.` });
	});
}
