import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';

export interface Forwarding {
	/** Closes each connection behind the first answer on it. */
	readonly isClosing?: boolean;
	/** Takes a request over, so that it is not forwarded. */
	instead?(request: IncomingMessage, response: ServerResponse): boolean;
}

/** A server of Node in front of another one, as proxies are: it reads each request whole before it asks further. */
export async function startForwardingServer(
	test: TestContext,
	behind: string,
	{ isClosing = false, instead = () => false }: Forwarding = {},
): Promise<string> {
	const relay = relayHttp(behind, async (request, forward) => {
		const reply = await forward(request);
		return isClosing ? { ...reply, headers: { ...reply.headers, connection: 'close' } } : reply;
	});
	const server = createServer((request, response) => {
		response.on('error', () => {});
		if (!instead(request, response)) relay(request, response);
	});
	const { port } = await listen(test, server);
	return `http://127.0.0.1:${port}`;
}
