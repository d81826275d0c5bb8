import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';

export interface Forwarding {
	/** Closes each connection after its first answer. */
	readonly isClosing?: boolean;
	/** Handles a request itself if it returns true; then the request is not forwarded. */
	instead?(request: IncomingMessage, response: ServerResponse): boolean;
}

/** A Node proxy in front of another server. It reads each request completely before it forwards it. */
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
