import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type Exchange, type Forward, forwardTo, type Reply } from '@bursar/testing/http-relay';
import { bytesFrom, pass, type RelayedConnection, send, startRelay } from '@bursar/testing/relay';
import { readChunks } from '../../src/wire/raw-answers.ts';

/** How a server differs from the one behind it. */
export interface Difference {
	/** Answers a call that is alone on its connection. */
	call?(request: Exchange, forward: Forward): Promise<Reply>;
	/** Changes the answer bytes on any other connection. `sent` is the first data from the client. */
	bytes?(sent: string): (text: string) => string;
	/** Replaces the answer bytes on any other connection. */
	answerBytes?(sent: string): string | undefined;
}

const HEAD_LIMIT = 64 * 1024;

/** A proxy that changes the behaviour of the server behind it. Gives its address. */
export async function startDifferentServer(test: TestContext, behind: string, difference: Difference): Promise<string> {
	// A new connection for each call would take more processor time than the call.
	const agent = new Agent({ keepAlive: true });
	test.after(() => agent.destroy());
	const forward: Forward = ({ headers: { connection: _, ...headers }, ...request }) =>
		forwardTo(behind, { ...request, headers }, agent);
	const { url } = await startRelay(test, behind, async (connection) => {
		const { client } = connection;
		let received = Buffer.alloc(0);
		for await (const bytes of bytesFrom(client)) {
			received = Buffer.concat([received, bytes]);
			const headEnd = received.indexOf('\r\n\r\n');
			if (headEnd === -1 && received.length < HEAD_LIMIT) continue;
			const head = received.subarray(0, Math.max(headEnd, 0)).toString('latin1');
			// A call of the suite asks to close the connection. All other bytes are passed through.
			if (!/\r\nconnection: close(?:\r\n|$)/i.test(head)) return passThrough(connection, received, difference);
			const request = parseRequest(head, received.subarray(headEnd + 4));
			if (request) return answer(client, request, forward, difference);
		}
	});
	return url;
}

async function answer(client: Socket, request: Exchange, forward: Forward, { call }: Difference): Promise<void> {
	try {
		await endWith(client, replyText(await (call?.(request, forward) ?? forward(request))));
	} catch {
		client.destroy();
	}
}

/** Reads until the client ends too, because closing a connection with unread data can lose the answer. */
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

/** `undefined` while the body is incomplete. */
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
