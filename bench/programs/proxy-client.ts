// Clients of a proxy. Reads a `ProxyLoad` as JSON from standard input, stops by itself, and prints how much it did.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

export interface ProxyLoad {
	readonly proxyPort: number;
	/** `ADDRESS:PORT` of the origin. */
	readonly origin: string;
	/** What each request says in `Proxy-Authorization`; absent if the proxy asks for nothing. */
	readonly authorization?: string | undefined;
	/** `requests`: one after another on each connection. `tunnels`: set up and closed. `bytes`: through open tunnels. */
	readonly kind: 'requests' | 'tunnels' | 'bytes';
	readonly connections: number;
	readonly seconds: number;
}

const END_OF_HEAD = '\r\n\r\n';

const load = JSON.parse(await text(process.stdin)) as ProxyLoad;
const headers = load.authorization ? `Proxy-Authorization: ${load.authorization}\r\n` : '';
const GET = `GET http://${load.origin}/ HTTP/1.1\r\nHost: ${load.origin}\r\n${headers}\r\n`;
const CONNECT = `CONNECT ${load.origin} HTTP/1.1\r\nHost: ${load.origin}\r\n${headers}\r\n`;
let done = 0;
let isOver = false;
const ways = { requests: sendRequests, tunnels: openTunnels, bytes: readBytes };
const running = Array.from({ length: load.connections }, () => ways[load.kind]());
await Promise.race([setTimeout(load.seconds * 1000), Promise.all(running)]);
isOver = true;
process.stdout.write(String(done), () => process.exit());

function open(): Socket {
	const socket = connect({ port: load.proxyPort, host: '127.0.0.1', noDelay: true });
	return socket.on('error', (error) => fail(error.message));
}

async function sendRequests(): Promise<void> {
	const socket = open();
	let received = '';
	socket.on('data', (bytes) => {
		received += bytes.toString('latin1');
		const head = received.indexOf(END_OF_HEAD);
		if (head === -1) return;
		const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
		if (received.length < head + END_OF_HEAD.length + length) return;
		assertGood(received);
		received = '';
		done++;
		socket.write(GET);
	});
	socket.write(GET);
	await once(socket, 'close');
	fail('the proxy has closed a connection');
}

async function openTunnels(): Promise<void> {
	while (!isOver) {
		const socket = await openTunnel();
		socket.end();
		await once(socket, 'close');
		done++;
	}
}

async function readBytes(): Promise<void> {
	const socket = await openTunnel();
	socket.on('data', (bytes) => {
		done += bytes.length;
	});
	socket.write('!');
	await once(socket, 'close');
	fail('the proxy has closed a tunnel');
}

async function openTunnel(): Promise<Socket> {
	const socket = open();
	socket.write(CONNECT);
	const [answer] = (await once(socket, 'data')) as [Buffer];
	assertGood(answer.toString('latin1'));
	// Nobody listens, so bytes are thrown away until somebody does.
	return socket.resume();
}

function assertGood(answer: string): void {
	if (!answer.startsWith('HTTP/1.1 200 ')) fail(`the proxy answers ${answer.slice(0, 60)}`);
}

function fail(reason: string): void {
	if (isOver) return;
	process.stderr.write(`proxy-client: ${reason}\n`);
	process.exit(1);
}
