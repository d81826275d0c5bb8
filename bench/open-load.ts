import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadCase } from './load.ts';
import { type SeededReseller, subUserName } from './seed.ts';

/** Open connections to a service, which send requests only while `run` is under way. */
export interface OpenLoad {
	/** Sends on all connections for that time, then waits for the last answers. */
	run(milliseconds: number): Promise<LoadSlice>;
	close(): void;
}

export interface LoadSlice {
	readonly requests: number;
	/** From the first request to the last answer. */
	readonly seconds: number;
	/** How long each answer took. */
	readonly durationsMs: readonly number[];
}

/** So many different requests are made in advance, and sent in turn. */
const PREPARED_REQUESTS = 20_000;

const END_OF_HEADERS = '\r\n\r\n';

/** Opens the connections. An answer that is not 200 makes `run` fail. */
export async function openLoad(url: string, load: LoadCase, connections: number): Promise<OpenLoad> {
	const requests = prepareRequests(url, load);
	const { hostname, port } = new URL(url);
	const sockets = await Promise.all(
		Array.from({ length: connections }, async () => {
			const socket = connect(Number(port), hostname).setNoDelay(true);
			await once(socket, 'connect');
			return socket;
		}),
	);
	let nextRequest = 0;
	let endsAtMs = 0;
	let waiting = 0;
	let durationsMs: number[] = [];
	const sentAtMs = new Map<Socket, number>();
	let finished = Promise.withResolvers<void>();

	function send(socket: Socket): void {
		sentAtMs.set(socket, performance.now());
		socket.write(requests[nextRequest++ % requests.length] as Buffer);
	}

	for (const socket of sockets) {
		let isClosedByUs = false;
		socket.on('error', (error) => finished.reject(error));
		socket.on('close', () => isClosedByUs || finished.reject(new Error(`${url} closed a connection`)));
		onAnswers(socket, (status) => {
			if (status !== '200') {
				isClosedByUs = true;
				finished.reject(new Error(`${url}${load.path} answered ${status}`));
			}
			const nowMs = performance.now();
			durationsMs.push(nowMs - (sentAtMs.get(socket) as number));
			if (nowMs < endsAtMs) send(socket);
			else if (--waiting === 0) finished.resolve();
		});
	}
	return {
		async run(milliseconds) {
			const startedAtMs = performance.now();
			endsAtMs = startedAtMs + milliseconds;
			durationsMs = [];
			waiting = sockets.length;
			finished = Promise.withResolvers();
			for (const socket of sockets) send(socket);
			await finished.promise;
			return { requests: durationsMs.length, seconds: (performance.now() - startedAtMs) / 1000, durationsMs };
		},
		close() {
			for (const socket of sockets) socket.removeAllListeners('close').destroy();
		},
	};
}

/** Calls back with the status of each answer. All answers have a `Content-Length`, and come one at a time. */
function onAnswers(socket: Socket, onAnswer: (status: string) => void): void {
	let received = '';
	socket.setEncoding('latin1');
	socket.on('data', (chunk: string) => {
		received += chunk;
		const bodyAt = received.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length;
		if (bodyAt < END_OF_HEADERS.length) return;
		const length = /content-length: (\d+)/i.exec(received)?.[1];
		if (received.length < bodyAt + Number(length)) return;
		const status = received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
		received = '';
		onAnswer(status);
	});
}

function prepareRequests(url: string, { path, resellers, subUsers, body, bodies }: LoadCase): readonly Buffer[] {
	const { host } = new URL(url);
	const request = ({ token }: SeededReseller, text?: string) => {
		const head = `${text === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}`;
		const type = `Content-Type: application/json\r\nContent-Length: ${text?.length}`;
		return Buffer.from(text === undefined ? `${head}\r\n\r\n` : `${head}\r\n${type}\r\n\r\n${text}`);
	};
	if (bodies) return bodies.map((text) => request(resellers[0], text));
	if (!body) return [request(resellers[0])];
	return Array.from({ length: PREPARED_REQUESTS }, () => {
		const reseller = resellers[randomInt(resellers.length)] as SeededReseller;
		const username = subUserName(reseller.username, randomInt(subUsers));
		return request(reseller, JSON.stringify({ username, ...body }));
	});
}
