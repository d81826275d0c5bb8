import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Servers behind the proxy, on an address of this machine that is not special. */
export interface Origins {
	/**
	 * `GET /bytes/N` answers with N bytes, `/chunked/N` without a length, `/headers` with those of the request, anything
	 * else with how many bytes were sent to it.
	 */
	readonly url: string;
	/** `ADDRESS:PORT` of a server that answers `N\n` with N bytes, and takes everything else. */
	readonly raw: string;
	/** `ADDRESS:PORT` on which no process listens. */
	readonly nowhere: string;
}

/** Needs root. */
export async function startOrigins(test: TestContext): Promise<Origins> {
	const address = await addAddress(test);
	const http = createHttpServer((request, response) => {
		let bytes = 0;
		request.on('data', (part: Buffer) => {
			bytes += part.length;
		});
		request.on('end', () => {
			if (request.url === '/headers') return void response.end(JSON.stringify(request.headers));
			const [, kind, count] = /^\/(bytes|chunked)\/(\d+)$/.exec(request.url ?? '') ?? [];
			if (kind === undefined) return void response.end(`${bytes}\n`);
			const body = Buffer.alloc(Number(count), 'x');
			if (kind === 'bytes') return void response.end(body);
			response.write(body.subarray(0, body.length / 2));
			response.end(body.subarray(body.length / 2));
		});
	});
	const raw = createServer((socket) => answerRaw(socket));
	const [httpPort, rawPort] = [await listenEverywhere(test, http), await listenEverywhere(test, raw)];
	return {
		url: `http://${address}:${httpPort}`,
		raw: `${address}:${rawPort}`,
		nowhere: `${address}:1`,
	};
}

/** Adds an address of a block for documentation to the loopback device: one that no other process has added. */
async function addAddress(test: TestContext): Promise<string> {
	let refusal: unknown;
	for (let last = 1; last < 255; last++) {
		const address = `203.0.113.${last}`;
		const added = await run('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']).catch((error) => {
			refusal = error;
		});
		if (!added) continue;
		test.after(() => run('ip', ['address', 'del', `${address}/32`, 'dev', 'lo']));
		return address;
	}
	throw refusal;
}

function answerRaw(socket: Socket): void {
	let text = '';
	socket.on('error', () => {});
	socket.on('data', (bytes) => {
		text = (text + bytes.toString('latin1')).slice(-1_000);
		for (let asked = /(\d+)\n/.exec(text); asked; asked = /(\d+)\n/.exec(text)) {
			text = text.slice(asked.index + asked[0].length);
			socket.write(Buffer.alloc(Number(asked[1]), 'y'));
		}
	});
}

async function listenEverywhere(test: TestContext, server: Server): Promise<number> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	test.after(() => {
		server.close();
		for (const socket of sockets) socket.destroy();
	});
	await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()));
	return (server.address() as AddressInfo).port;
}
