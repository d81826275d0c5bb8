import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { KEY_FILE, pemFile } from '../../support/certificates.ts';
import { startCountingRelay } from '../../support/counting-relay.ts';
import { openRawClient, type RawClient } from '../../support/raw-client.ts';
import { KEY, upstreamsOf } from '../../support/running-proxy.ts';
import {
	BYTES,
	ESTABLISHED,
	LEAST_MS,
	MEGABYTE,
	PAIR,
	startSink,
	startSlowProxy,
	startSource,
	timeOf,
	tunnelTo,
} from '../../support/slow-proxy.ts';
import { SOCKS_OPENED, socksRequest } from '../../support/socks-messages.ts';
import { openTlsClient } from '../../support/tls-client.ts';
import { startUpstream } from '../../support/upstreams.ts';

const LIMIT_MS = 60_000;
const CERTIFICATE = {
	context: createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) }),
};

describe('a speed limit holds, and every byte arrives and is counted,', { concurrency: true }, () => {
	for (const exit of [undefined, 'http', 'https', 'socks5'] as const) {
		for (const way of ['CONNECT', 'SOCKS5', 'TLS'] as const) {
			if (exit && way === 'TLS') continue;
			test(`down and up a tunnel by ${way}${exit ? ` through an exit with ${exit}` : ''}`, async (t) => {
				const upstream = exit && (await startUpstream[exit](t));
				const login = exit === 'socks5' ? 'out:pass@' : '';
				const proxy = await startSlowProxy(t, MEGABYTE, {
					certificate: CERTIFICATE,
					...(upstream && { upstreams: upstreamsOf(`${exit}://${login}localhost:${upstream.port}`) }),
				});
				const relay = await startCountingRelay(t, proxy.port);
				const sent = randomBytes(BYTES);
				async function open(target: number): Promise<RawClient> {
					const client = way === 'TLS' ? openTlsClient(t, proxy) : openRawClient(t, relay.port);
					const connect = `CONNECT 127.0.0.1:${target} HTTP/1.1\r\nProxy-Authorization: ${PAIR}\r\n\r\n`;
					client.write(way === 'SOCKS5' ? socksRequest('alice', KEY, target) : connect);
					await client.until(way === 'SOCKS5' ? SOCKS_OPENED : ESTABLISHED);
					return client;
				}
				const source = await startSource(t, sent);
				const down = await timeOf(async () => {
					const text = await (await open(source)).closed;
					assert.ok(sent.equals(Buffer.from(text.slice(-BYTES), 'latin1')));
				});
				assert.ok(down >= LEAST_MS, `down in ${down} ms`);
				const sink = await startSink(t, BYTES);
				const up = await timeOf(async () => {
					const client = await open(sink.port);
					client.write(sent);
					await client.until('thanks');
				});
				assert.ok(sink.got[0]?.equals(sent));
				assert.ok(up >= LEAST_MS, `up in ${up} ms`);
				if (way === 'TLS') return;
				await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
			});
		}
	}

	test('of plain requests and answers', async (t) => {
		const proxy = await startSlowProxy(t);
		const relay = await startCountingRelay(t, proxy.port);
		const origin = createServer(async (request, response) => {
			const body = await buffer(request);
			response.end(request.method === 'GET' ? Buffer.alloc(BYTES, 'x') : String(body.length));
		});
		const { port } = await listen(t, origin);
		const head = (method: string) =>
			`${method} http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${PAIR}\r\n`;
		const client = openRawClient(t, relay.port);
		const down = await timeOf(async () => {
			client.write(`${head('GET')}\r\n`);
			await eventually(async () => assert.ok(client.text().length > BYTES), LIMIT_MS);
		});
		assert.ok(down >= LEAST_MS, `down in ${down} ms`);
		const up = await timeOf(async () => {
			client.write(`${head('POST')}Content-Length: ${BYTES}\r\n\r\n`);
			client.write(Buffer.alloc(BYTES, 'y'));
			await client.until(`\r\n\r\n${BYTES}`);
		});
		assert.ok(up >= LEAST_MS, `up in ${up} ms`);
		client.socket.end();
		await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	});

	for (const count of [10, 100]) {
		test(`over ${count} connections together`, async (t) => {
			const proxy = await startSlowProxy(t);
			const relay = await startCountingRelay(t, proxy.port);
			const sent = randomBytes(BYTES / count);
			const source = await startSource(t, sent);
			const tookMs = await timeOf(() =>
				Promise.all(
					Array.from({ length: count }, async () => {
						const text = await (await tunnelTo(t, relay.port, source)).closed;
						assert.ok(sent.equals(Buffer.from(text.slice(-sent.length), 'latin1')));
					}),
				),
			);
			assert.ok(tookMs >= LEAST_MS, `${tookMs} ms`);
			await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
		});
	}
});
