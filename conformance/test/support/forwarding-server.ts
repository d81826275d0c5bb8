import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';

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
	const server = createServer(async (request, response) => {
		response.on('error', () => {});
		if (instead(request, response)) return;
		const body = await buffer(request);
		const { method, headers, url = '' } = request;
		const onward = requestHttp(`${behind}${url}`, { method, headers, agent: false });
		onward.on('error', () => response.destroy());
		onward.on('response', (answer) => {
			const { connection: _connection, 'transfer-encoding': _encoding, ...rest } = answer.headers;
			response.writeHead(answer.statusCode ?? 0, { ...rest, ...(isClosing && { connection: 'close' }) });
			pipeline(answer, response).catch(() => response.destroy());
		});
		onward.end(body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	test.after(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
