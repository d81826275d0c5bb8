import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';

/** What becomes of a request on its way. */
type Fate =
	| 'pass'
	/** It arrives, and its answer is lost. */
	| 'lose_answer'
	/** It is lost. */
	| 'lose_request'
	/** It arrives so many milliseconds later, whether its sender is still there or not. */
	| { readonly lateMs: number }
	/** Another answers in place of the service. */
	| { readonly status: number }
	/** The service itself says that it could not learn what became of it. */
	| 'say_unknown';

export interface Middle {
	readonly url: string;
	/** Decides over each request; all pass at first. */
	fateOf: (path: string) => Fate;
	/** Changes what the service answers. */
	rewrite: (text: string) => string;
	/** The paths of all requests so far, whose bodies have arrived whole. */
	readonly paths: string[];
}

/** Something that stands between the client and the service. */
export async function startMiddle(test: TestContext, serviceUrl: string): Promise<Middle> {
	const paths: string[] = [];
	const server = createServer((request, response) => {
		handOn(serviceUrl, middle, request, response).catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	test.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const middle: Middle = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		fateOf: () => 'pass',
		rewrite: (text) => text,
		paths,
	};
	return middle;
}

async function handOn(serviceUrl: string, middle: Middle, request: IncomingMessage, response: ServerResponse) {
	const fate = middle.fateOf(request.url ?? '');
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	middle.paths.push(request.url ?? '');
	if (fate === 'lose_request') return response.destroy();
	if (fate === 'say_unknown') return sayUnknown(response);
	if (typeof fate === 'object' && 'status' in fate) return response.writeHead(fate.status).end('busy');
	if (typeof fate === 'object') await setTimeout(fate.lateMs, undefined, { ref: false });
	const { method = 'GET', headers, url = '' } = request;
	const answer = await fetch(serviceUrl + url, {
		method,
		headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
		...(method === 'POST' && { body: Buffer.concat(chunks) }),
	});
	const text = await answer.text();
	if (fate === 'lose_answer') return response.destroy();
	const { 'content-length': _, ...kept } = Object.fromEntries(answer.headers);
	return response.writeHead(answer.status, kept).end(middle.rewrite(text));
}

function sayUnknown(response: ServerResponse): void {
	const headers = { 'content-type': 'application/json', 'x-error-code': 'outcome_unknown' };
	const envelope = { status: 503, message: 'nobody knows', timestamp: Math.floor(Date.now() / 1000), data: null };
	response.writeHead(503, headers).end(JSON.stringify(envelope));
}
