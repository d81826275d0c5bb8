import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startTestProxy, upstreamsOf } from '../support/running-proxy.ts';
import { certificate, startUpstream } from '../support/upstreams.ts';

const HEAD = `Host: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n`;

describe('a proxy behind an upstream', { concurrency: true }, () => {
	for (const kind of ['http', 'https', 'socks5'] as const) {
		test(`everything goes to the ${kind} upstream, with its credentials, and is counted`, async (t) => {
			const origin = createServer((request, response) => {
				assert.equal(request.headers['proxy-authorization'], undefined);
				response.end('from the origin');
			});
			const { port: originPort } = await listen(t, origin);
			const { seen, port: upstreamPort } = await startUpstream[kind](t);
			const upstreams = upstreamsOf(`${kind}://carol:p%40ss@localhost:${upstreamPort}`);
			const allowed = [{ address: '127.0.0.1', port: originPort }];
			const proxy = await startTestProxy(t, { upstreams, destinations: { allowPrivate: false, allowed } });
			const relay = await startCountingRelay(t, proxy.port);

			const plain = openRawClient(t, relay.port);
			plain.write(`GET http://127.0.0.1:${originPort}/ HTTP/1.1\r\n${HEAD}\r\n`);
			await plain.until('from the origin');
			const tunnel = openRawClient(t, relay.port);
			tunnel.write(`CONNECT 127.0.0.1:${originPort} HTTP/1.1\r\n${HEAD}\r\n`);
			await tunnel.until('\r\n\r\n');
			tunnel.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
			await tunnel.until('from the origin');
			assert.deepEqual(seen, ['carol:p@ss', 'carol:p@ss']);
			await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), 30_000);

			for (const request of ['GET http://127.0.0.1:1/', 'CONNECT localhost:1', 'CONNECT 127.1:1', 'CONNECT 0x7f.1:1']) {
				assert.match(await answerTo(t, proxy.port, `${request} HTTP/1.1\r\n${HEAD}\r\n`), /^HTTP\/1\.1 403 /);
			}
		});
	}

	test('IPv6 destinations are reached through upstreams over HTTP and SOCKS', async (t) => {
		const origin = createServer((_request, response) => response.end('from the origin')).listen(0, '::1');
		t.after(() => origin.close().closeAllConnections());
		await once(origin, 'listening');
		const { port } = origin.address() as AddressInfo;
		// A proxy of ours is an upstream of both kinds.
		const upstream = await startTestProxy(t);
		for (const kind of ['http', 'socks5']) {
			const upstreams = upstreamsOf(`${kind}://alice:${KEY}@127.0.0.1:${upstream.port}`);
			const proxy = await startTestProxy(t, { upstreams });
			const plain = openRawClient(t, proxy.port);
			plain.write(`GET http://[::1]:${port}/ HTTP/1.1\r\n${HEAD}\r\n`);
			await plain.until('from the origin');
			const tunnel = openRawClient(t, proxy.port);
			tunnel.write(`CONNECT [::1]:${port} HTTP/1.1\r\n${HEAD}\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n`);
			await tunnel.until('from the origin');
		}
	});

	test('a SOCKS upstream is asked for names, never for an address that this host has found', async (t) => {
		const asked: string[] = [];
		const upstream = createTcpServer(async (client) => {
			client.on('error', () => {});
			await once(client, 'data');
			client.write(Buffer.from([5, 0]));
			const [request] = (await once(client, 'data')) as [Buffer];
			// Type 3 is a name, with its length before it.
			asked.push(request[3] === 3 ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : `type ${request[3]}`);
			client.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
		});
		const { port } = await listen(t, upstream);
		const proxy = await startTestProxy(t, { upstreams: upstreamsOf(`socks5://127.0.0.1:${port}`) });
		for (const request of ['GET http://origin.example/', 'CONNECT origin.example:443']) {
			assert.match(
				await answerTo(t, proxy.port, `${request} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
				/^HTTP\/1\.1 502 /,
			);
		}
		assert.deepEqual(asked, ['origin.example', 'origin.example']);
	});

	test('a target whose host an upstream may read in another way is refused', async (t) => {
		const { seen, port } = await startUpstream.http(t);
		const proxy = await startTestProxy(t, { upstreams: upstreamsOf(`http://127.0.0.1:${port}`) });
		for (const request of [
			'CONNECT origin.example:80?@127.0.0.1:1',
			'CONNECT origin.example:80/@127.0.0.1:1',
			'CONNECT origin.example:80/:1',
			'CONNECT user@127.0.0.1:1',
			'GET http://origin.example?@127.0.0.1:1/q',
			'GET http://origin.example#@127.0.0.1:1/q',
			'GET http://origin.example\\@127.0.0.1:1/q',
		]) {
			assert.match(
				await answerTo(t, proxy.port, `${request} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
				/^HTTP\/1\.1 4\d\d /,
				request,
			);
		}
		assert.deepEqual(seen, []);
	});

	test('an upstream that cannot be reached, or refuses, harms no other request', async (t) => {
		const refusing = createServer((_request, response) => response.writeHead(407).end());
		refusing.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 no\r\n\r\n'));
		const { port } = await listen(t, refusing);
		const closed = await listen(t, createTcpServer());
		closed.close();
		const expired = await listen(t, createHttpsServer(certificate('expired')));
		for (const url of [
			`http://127.0.0.1:${port}`,
			`http://127.0.0.1:${closed.port}`,
			`socks5://127.0.0.1:${port}`,
			// The other end speaks no TLS, or has a certificate that is not good.
			`https://localhost:${port}`,
			`https://localhost:${expired.port}`,
		]) {
			const proxy = await startTestProxy(t, { upstreams: upstreamsOf(url) });
			for (const [target, status] of [
				['GET http://origin.example/', '502'],
				['CONNECT origin.example:443', '502'],
				['GET http://origin.example/\xff', '[45]..'],
			] as const) {
				const request = Buffer.from(`${target} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`, 'latin1');
				assert.match(await answerTo(t, proxy.port, request), new RegExp(`^HTTP/1\\.1 ${status} `), url);
			}
		}
	});
});
