import { type Agent, type IncomingHttpHeaders, type RequestListener, request as requestHttp } from 'node:http';
import { buffer, text } from 'node:stream/consumers';

/** A complete request. Header names are in lowercase. */
export interface Exchange {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

export interface Reply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export type Forward = (request: Exchange) => Promise<Reply>;

/**
 * The listener of a Node server that acts as a proxy in front of another server. It reads each request completely, and
 * sends the reply that the program returns. If the program returns nothing or fails, it closes the connection.
 */
export function relayHttp(
	serverUrl: string,
	program: (request: Exchange, forward: Forward) => Promise<Reply | undefined>,
): RequestListener {
	const forward: Forward = (request) => forwardTo(serverUrl, request);
	return async (request, response) => {
		response.on('error', () => {});
		try {
			const { method = '', url: path = '', headers } = request;
			const exchange = { method, path, headers: plain(headers), body: await buffer(request) };
			const reply = await program(exchange, forward);
			if (reply === undefined) response.destroy();
			else response.writeHead(reply.status, framed(reply)).end(reply.body);
		} catch {
			response.destroy();
		}
	};
}

/** Sends a request on a connection of the agent, or on a new one, and reads the complete answer. */
export function forwardTo(
	serverUrl: string,
	{ method, path, headers, body }: Exchange,
	agent: Agent | false = false,
): Promise<Reply> {
	return new Promise((resolve, reject) => {
		const { hostname, port } = new URL(serverUrl);
		const isChunked = headers['transfer-encoding'] !== undefined;
		const length = body.length > 0 && !isChunked ? { 'content-length': body.length } : {};
		const sent = requestHttp({ hostname, port, method, path, headers: { ...headers, ...length }, agent });
		sent.on('error', reject);
		sent.on('response', (response) => {
			// These headers are only about this connection.
			const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = plain(response.headers);
			text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers, body }), reject);
		});
		sent.end(body);
	});
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Sets the length of the body. An answer to HEAD has no body and keeps its own length. */
function framed({ headers, body }: Reply) {
	return body === '' ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
}
