import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Listening, listen } from '@bursar/testing/listen';

const CERTIFICATES = join(import.meta.dirname, '../../../client/test/support');

/** `self-signed` is for `localhost`, and is trusted here. */
export function certificate(name: 'self-signed' | 'expired') {
	return {
		key: readFileSync(join(CERTIFICATES, 'key.pem'), 'utf8'),
		cert: readFileSync(join(CERTIFICATES, `${name}.pem`), 'utf8'),
	};
}

setDefaultCACertificates([...getCACertificates(), certificate('self-signed').cert]);

/** An upstream proxy, which connects to ports of this machine. */
export interface TestUpstream extends Listening {
	/** `USER:PASSWORD` of each request and tunnel; empty without credentials. */
	readonly seen: readonly string[];
}

export const startUpstream = {
	http: (test: TestContext) => startHttpUpstream(test, createServer()),
	https: (test: TestContext) => startHttpUpstream(test, createHttpsServer(certificate('self-signed'))),
	socks5: startSocksUpstream,
} as const;

async function startHttpUpstream(test: TestContext, upstream: Server): Promise<TestUpstream> {
	const seen: string[] = [];
	const note = ({ headers }: IncomingMessage) => {
		const [, login = ''] = (headers['proxy-authorization'] ?? '').split(' ');
		seen.push(Buffer.from(login, 'base64').toString());
	};
	upstream.on('request', (request: IncomingMessage, response: ServerResponse) => {
		note(request);
		requestHttp(request.url ?? '', (answer) => answer.pipe(response)).end();
	});
	upstream.on('connect', (request: IncomingMessage, client: Socket) => {
		note(request);
		const origin = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
			client.write('HTTP/1.1 200 OK\r\n\r\n');
			client.pipe(origin).pipe(client);
		});
		for (const socket of [client, origin]) socket.on('error', () => {});
	});
	return { seen, ...(await listen(test, upstream)) };
}

/** It wants a password. */
async function startSocksUpstream(test: TestContext): Promise<TestUpstream> {
	const seen: string[] = [];
	const upstream = createTcpServer(async (client) => {
		client.on('error', () => {});
		await once(client, 'data');
		client.write(Buffer.from([5, 2]));
		const [login] = (await once(client, 'data')) as [Buffer];
		const name = login.subarray(2, 2 + (login[1] ?? 0));
		seen.push(`${name}:${login.subarray(3 + name.length)}`);
		client.write(Buffer.from([1, 0]));
		const [asked] = (await once(client, 'data')) as [Buffer];
		const origin = connect(asked.readUInt16BE(asked.length - 2), '127.0.0.1', () => {
			client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
			client.pipe(origin).pipe(client);
		});
		origin.on('error', () => {});
	});
	return { seen, ...(await listen(test, upstream)) };
}
