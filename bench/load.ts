import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Work } from './turns.ts';

/** Open connections to a server, on which requests are sent only while `work` is under way. */
export interface Load {
	/** Each connection sends one request after another for that time. An answer that is not 200 makes it fail. */
	work(ms: number): Promise<Work>;
	close(): void;
}

/** Sends a complete request. Resolves when its answer is complete, and rejects unless the answer is 200. */
type Send = (request: string) => Promise<void>;

const END_OF_HEAD = '\r\n\r\n';
const GOOD = 'HTTP/1.1 200 ';

/** A complete request: a POST if there is a body. */
export function requestOf(path: string, token: string, body?: unknown): string {
	const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n`;
	if (body === undefined) return `${head}\r\n`;
	const json = JSON.stringify(body);
	return `${head}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`;
}

/** The requests are sent in turn, again and again. */
export async function openLoad(url: string, requests: readonly string[], connections: number): Promise<Load> {
	const opened = await openConnections(url, connections);
	let next = 0;
	return {
		async work(ms) {
			const startedAtMs = performance.now();
			let units = 0;
			const sending = opened.map(async ({ send }) => {
				while (performance.now() < startedAtMs + ms) {
					await send(requests[next++ % requests.length] as string);
					units++;
				}
			});
			await Promise.all(sending);
			return { units, seconds: (performance.now() - startedAtMs) / 1000 };
		},
		close() {
			for (const { socket } of opened) socket.destroy();
		},
	};
}

/** Sends each request once. */
export async function sendEach(url: string, requests: readonly string[], connections: number): Promise<void> {
	const opened = await openConnections(url, connections);
	const left = requests.values();
	await Promise.all(
		opened.map(async ({ send }) => {
			for (const request of left) await send(request);
		}),
	);
	for (const { socket } of opened) socket.destroy();
}

function openConnections(url: string, connections: number) {
	const { hostname, port } = new URL(url);
	return Promise.all(
		Array.from({ length: connections }, async () => {
			const socket = connect(Number(port), hostname).setNoDelay(true);
			await once(socket, 'connect');
			return { socket, send: sender(socket) };
		}),
	);
}

/** All answers have a `Content-Length`, and come one at a time. */
function sender(socket: Socket): Send {
	let received = '';
	let answered: PromiseWithResolvers<void> | undefined;
	socket.setEncoding('latin1');
	socket.on('error', (error) => answered?.reject(error));
	socket.on('close', () => answered?.reject(new Error('a server closed a connection')));
	socket.on('data', (chunk: string) => {
		received += chunk;
		const headEnd = received.indexOf(END_OF_HEAD);
		if (headEnd === -1) return;
		const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
		if (received.length < headEnd + END_OF_HEAD.length + length) return;
		if (received.startsWith(GOOD)) answered?.resolve();
		else answered?.reject(new Error(`a server answered: ${received}`));
		received = '';
	});
	return (request) => {
		answered = Promise.withResolvers();
		socket.write(request, 'latin1');
		return answered.promise;
	};
}
