import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { readChunks } from '../../src/raw-answers.ts';

/** A request that came in. Names of headers are in lowercase. */
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

/** How a server differs from the one behind it. */
export interface Difference {
	/** What becomes of a call that comes alone on its connection. */
	call?(request: Exchange, forward: Forward): Promise<Reply>;
	/** What becomes of the bytes that go back on another connection. `sent` is what came first on it. */
	bytes?(sent: string): (text: string) => string;
	/** The bytes that go back on another connection instead of those of the server behind. */
	answerBytes?(sent: string): string | undefined;
}

export type Forward = (request: Exchange) => Promise<Reply>;

const HEAD_LIMIT = 64 * 1024;

/** A server in front of another one, and different from it. Gives its address. */
export async function startDifferentServer(test: TestContext, behind: string, difference: Difference): Promise<string> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
		serve(socket, behind, difference);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	test.after(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Looks what comes first: one call that asks for the connection to be closed behind it, or anything else. */
function serve(socket: Socket, behind: string, difference: Difference): void {
	let received = Buffer.alloc(0);
	socket.on('data', function take(chunk: Buffer) {
		received = Buffer.concat([received, chunk]);
		const headEnd = received.indexOf('\r\n\r\n');
		if (headEnd === -1 && received.length < HEAD_LIMIT) return;
		const head = received.subarray(0, Math.max(headEnd, 0)).toString('latin1');
		if (!/\r\nconnection: close(?:\r\n|$)/i.test(head)) {
			socket.off('data', take);
			passThrough(socket, received, behind, difference);
			return;
		}
		const request = parseRequest(head, received.subarray(headEnd + 4));
		if (!request) return;
		socket.off('data', take);
		const forward: Forward = (request) => forwardTo(behind, request);
		const answer = difference.call ? difference.call(request, forward) : forward(request);
		answer.then(
			(reply) => socket.end(replyText(reply)),
			(error: Error) => socket.destroy(error),
		);
	});
}

function passThrough(socket: Socket, first: Buffer, behind: string, difference: Difference): void {
	const sent = first.toString('latin1');
	const instead = difference.answerBytes?.(sent);
	if (instead !== undefined) return void socket.end(instead);
	const change = difference.bytes?.(sent) ?? ((text: string) => text);
	const { hostname, port } = new URL(behind);
	const onward = connect(Number(port), hostname);
	onward.on('error', () => socket.destroy());
	socket.on('close', () => onward.destroy());
	onward.write(first);
	socket.on('data', (chunk) => onward.write(chunk));
	onward.on('data', (chunk) => socket.write(change(chunk.toString('latin1')), 'latin1'));
	onward.on('end', () => socket.end());
}

/** `undefined` while the body is not whole. */
function parseRequest(head: string, body: Buffer): Exchange | undefined {
	const [requestLine = '', ...lines] = head.split('\r\n');
	const [method = '', path = ''] = requestLine.split(' ');
	const headers = Object.fromEntries(
		lines.map((line) => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
	if (headers['transfer-encoding'] !== undefined) {
		const chunks = readChunks(body);
		return chunks && { method, path, headers, body: chunks.bytes };
	}
	return body.length < Number(headers['content-length'] ?? 0) ? undefined : { method, path, headers, body };
}

function forwardTo(behind: string, { method, path, headers, body }: Exchange): Promise<Reply> {
	return new Promise((resolve, reject) => {
		const { hostname, port } = new URL(behind);
		const isChunked = headers['transfer-encoding'] !== undefined;
		const length = body.length > 0 && !isChunked ? { 'content-length': body.length } : {};
		const sent = requestHttp(
			{ hostname, port, method, path, headers: { ...headers, ...length }, agent: false },
			async (response) => {
				try {
					const chunks: Buffer[] = [];
					for await (const chunk of response) chunks.push(chunk as Buffer);
					const replyHeaders = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
					resolve({
						status: response.statusCode as number,
						headers: Object.fromEntries(replyHeaders),
						body: Buffer.concat(chunks).toString('utf8'),
					});
				} catch (error) {
					reject(error);
				}
			},
		);
		sent.on('error', reject);
		sent.end(body);
	});
}

function replyText({ status, headers, body }: Reply): string {
	const { 'transfer-encoding': _encoding, ...rest } = headers;
	const all = { ...rest, connection: 'close', 'content-length': Buffer.byteLength(body) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return `HTTP/1.1 ${status} Status\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
