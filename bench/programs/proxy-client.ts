// Clients of a proxy. Reads a `ProxyLoad` as JSON from standard input, stops by itself, and prints what it did.
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { move } from './move.ts';
import { authorizationLine, connectTo, openTunnel, type ProxyAddress } from './open-tunnel.ts';

export interface ProxyLoad {
	readonly proxy: ProxyAddress;
	/** `ADDRESS:PORT` of the origin. */
	readonly origin: string;
	/** `requests`: one after another on each connection. `tunnels`: set up and closed. `down` and `up`: so many bytes through each tunnel. */
	readonly kind: 'requests' | 'tunnels' | 'down' | 'up';
	readonly connections: number;
	readonly seconds: number;
	readonly bytes: number;
}

export interface DoneLoad {
	/** Requests, tunnels or bytes. */
	readonly done: number;
	readonly seconds: number;
}

const END_OF_HEAD = '\r\n\r\n';

const load = (await json(process.stdin)) as ProxyLoad;
const { proxy, origin, kind } = load;
const GET = `GET http://${origin}/ HTTP/1.1\r\nHost: ${origin}\r\n${authorizationLine(proxy)}\r\n`;
const connections = Array.from({ length: load.connections });
let done = 0;
let isOver = false;
const seconds = await (kind === 'down' || kind === 'up' ? moveBytes(kind) : runForTime(kind)).catch((error) => {
	process.stderr.write(`proxy-client: ${error.message}\n`);
	process.exit(1);
});
const result: DoneLoad = { done, seconds };
process.stdout.write(JSON.stringify(result), () => process.exit());

async function runForTime(kind: 'requests' | 'tunnels'): Promise<number> {
	const running = connections.map(() => (kind === 'requests' ? sendRequests() : openTunnels()));
	await Promise.race([setTimeout(load.seconds * 1000), Promise.all(running)]);
	isOver = true;
	return load.seconds;
}

/** All of them arrive, so that nothing is on its way when the time is taken. */
async function moveBytes(direction: 'down' | 'up'): Promise<number> {
	const tunnels = await Promise.all(connections.map(() => openTunnel(proxy, origin)));
	const startedAtMs = performance.now();
	await Promise.all(tunnels.map((tunnel) => move(tunnel, { direction, bytes: load.bytes })));
	done = tunnels.length * load.bytes;
	return (performance.now() - startedAtMs) / 1000;
}

function sendRequests(): Promise<never> {
	const { socket, read } = connectTo(proxy.port);
	return new Promise((_, reject) => {
		let received = '';
		read((bytes) => {
			received += bytes.toString('latin1');
			const head = received.indexOf(END_OF_HEAD);
			if (head === -1) return;
			const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
			if (received.length < head + END_OF_HEAD.length + length) return;
			if (!received.startsWith('HTTP/1.1 200 ')) reject(new Error(`the proxy answers ${received.slice(0, 60)}`));
			received = '';
			done++;
			socket.write(GET);
		});
		socket.once('close', () => reject(new Error('the proxy has closed a connection')));
		socket.write(GET);
	});
}

async function openTunnels(): Promise<void> {
	while (!isOver) {
		const { socket } = await openTunnel(proxy, origin);
		socket.end();
		await once(socket, 'close');
		done++;
	}
}
