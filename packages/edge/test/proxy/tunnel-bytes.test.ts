import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { openTunnel } from '../../src/proxy/target/tunnel.ts';
import { KEY_FILE, pemFile } from '../support/certificates.ts';
import { outgoingOf } from '../support/outgoing.ts';
import { openRawClient } from '../support/raw-client.ts';
import { basic, KEY, startEcho, startTestProxy, upstreamsOf } from '../support/running-proxy.ts';
import { openTlsClient } from '../support/tls-client.ts';
import { startUpstream } from '../support/upstreams.ts';

const LIMIT_MS = 60_000;
const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const BYTES = 8_000_000;
const CERTIFICATE = {
	context: createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) }),
};

for (const protocol of [undefined, 'from', 'http', 'https'] as const) {
	for (const open of [openRawClient, openTlsClient]) {
		const [from, by] = [
			open === openTlsClient ? ' over TLS' : '',
			protocol === 'from' ? 'an outgoing address' : protocol ? `an upstream with ${protocol}` : 'the proxy',
		];
		test(`the bytes of a tunnel${from} by ${by} arrive as they were sent, if they are taken slowly too`, async (t) => {
			const upstream = protocol && protocol !== 'from' && (await startUpstream[protocol](t));
			const proxy = await startTestProxy(t, {
				certificate: CERTIFICATE,
				...(protocol === 'from' && { outgoing: outgoingOf('127.0.0.10') }),
				...(upstream && { upstreams: upstreamsOf(`${protocol}://localhost:${upstream.port}`) }),
			});
			const client = open === openTlsClient ? openTlsClient(t, proxy) : openRawClient(t, proxy.port);
			client.write(
				`CONNECT 127.0.0.1:${await startEcho(t)} HTTP/1.1\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`,
			);
			await client.until(ESTABLISHED);
			client.socket.on('data', () => {
				client.socket.pause();
				setImmediate(() => client.socket.resume());
			});
			const sent = randomBytes(BYTES);
			client.write(sent);
			await eventually(async () => assert.equal(client.text().length, ESTABLISHED.length + BYTES), LIMIT_MS);
			assert.ok(sent.equals(Buffer.from(client.text().slice(ESTABLISHED.length), 'latin1')));
		});
	}
}

test('a tunnel gives up the memory of a read once the system has taken its bytes, and no memory that others share', async (t) => {
	let received = '';
	const server = createServer((socket) => {
		socket
			.on('error', () => {})
			.on('data', (bytes) => {
				received += bytes;
			});
	});
	const { port } = await listen(t, server);
	const client = new Duplex({ read() {}, write: (_bytes, _encoding, taken) => taken() });
	const [own, shared] = [Buffer.alloc(5, 'a'), Buffer.alloc(10, 'b').subarray(5)];
	openTunnel(
		client as unknown as Socket,
		{ host: '127.0.0.1', port, addresses: [{ address: '127.0.0.1', family: 4 }] },
		{ connecting: (target) => t.after(() => target.destroy()), opened() {}, failed: assert.fail, ended() {} },
	);
	client.push(own);
	client.push(shared);
	await eventually(async () => assert.equal(received, 'aaaaabbbbb'), LIMIT_MS);
	await eventually(async () => assert.deepEqual([own.length, shared.toString()], [0, 'bbbbb']), LIMIT_MS);
});
