import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type Exchange, type Forward, forwardTo, type Reply } from '@bursar/testing/http-relay';
import { bytesFrom, pass, type RelayedConnection, send, startRelay } from '@bursar/testing/relay';
import { readChunks } from '../../src/raw-answers.ts';

/** How a server differs from the one behind it. */
export interface Difference {
	/** What becomes of a call that comes alone on its connection. */
	call?(request: Exchange, forward: Forward): Promise<Reply>;
	/** What becomes of the bytes that go back on another connection. `sent` is what came first on it. */
	bytes?(sent: string): (text: string) => string;
	/** The bytes that go back on another connection instead of those of the server behind. */
	answerBytes?(sent: string): string | undefined;
}

const HEAD_LIMIT = 64 * 1024;

/** A server in front of another one, and different from it. Gives its address. */
export async function startDifferentServer(test: TestContext, behind: string, difference: Difference): Promise<string> {
	const { url } = await startRelay(test, behind, async (connection) => {
		const { client } = connection;
		let received = Buffer.alloc(0);
		for await (const bytes of bytesFrom(client)) {
			received = Buffer.concat([received, bytes]);
			const headEnd = received.indexOf('\r\n\r\n');
			if (headEnd === -1 && received.length < HEAD_LIMIT) continue;
			const head = received.subarray(0, Math.max(headEnd, 0)).toString('latin1');
			// Either one call that asks for the connection to be closed behind it, or anything else.
			if (!/\r\nconnection: close(?:\r\n|$)/i.test(head)) return passThrough(connection, received, difference);
			const request = parseRequest(head, received.subarray(headEnd + 4));
			if (request) return answer(client, request, behind, difference);
		}
	});
	return url;
}

async function answer(client: Socket, request: Exchange, behind: string, { call }: Difference): Promise<void> {
	const forward: Forward = (request) => forwardTo(behind, request);
	try {
		await endWith(client, replyText(await (call?.(request, forward) ?? forward(request))));
	} catch {
		client.destroy();
	}
}

/** Reads on until the client ends too: a connection that is closed over what was not read loses its answer. */
async function endWith(client: Socket, text: string): Promise<void> {
	client.end(text);
	for await (const _ of bytesFrom(client));
}

async function passThrough({ client, server }: RelayedConnection, first: Buffer, difference: Difference) {
	const sent = first.toString('latin1');
	const instead = difference.answerBytes?.(sent);
	if (instead !== undefined) return endWith(client, instead);
	const change = difference.bytes?.(sent) ?? ((text: string) => text);
	await send(server, first);
	const toClient = (bytes: Buffer) => Buffer.from(change(bytes.toString('latin1')), 'latin1');
	await Promise.all([pass(client, server), pass(server, client, toClient)]);
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

function replyText({ status, headers, body }: Reply): string {
	const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return `HTTP/1.1 ${status} Status\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
