import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { openCertificate } from '../../../src/proxy/client/certificate.ts';
import type { ProxyOptions } from '../../../src/proxy/proxy.ts';
import { KEY_FILE, pemFile } from '../../support/certificates.ts';
import { answerTo, openRawClient, type RawClient } from '../../support/raw-client.ts';
import { basic, KEY, startEcho, startOrigin, startTestProxy } from '../../support/running-proxy.ts';
import { SOCKS_OPENED, socksRequest } from '../../support/socks-messages.ts';
import { openTlsClient } from '../../support/tls-client.ts';

const LIMIT_MS = 60_000;
const ALICE = `Proxy-Authorization: ${basic('alice', KEY)}\r\n`;
const get = (port: number) => `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${ALICE}\r\n`;
const connectTo = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n${ALICE}\r\n`;
const CERTIFICATE = {
	context: createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) }),
};

async function setUp(test: TestContext, options: Partial<ProxyOptions> = {}) {
	const proxy = await startTestProxy(test, { certificate: CERTIFICATE, ...options });
	const echo = await startEcho(test);
	return { proxy, echo };
}

const cases: Readonly<
	Record<string, (client: RawClient, ports: { origin: number; echo: number }) => Promise<unknown>>
> = {
	async GET(client, { origin }) {
		client.write(get(origin));
		await client.until('from the origin');
	},
	async CONNECT(client, { echo }) {
		client.write(`${connectTo(echo)}early`);
		await client.until('early');
	},
	async SOCKS5(client, { echo }) {
		client.write(socksRequest('alice', KEY, echo));
		await client.until(SOCKS_OPENED);
		client.write('hello');
		await client.until('hello');
	},
};

for (const [name, use] of Object.entries(cases)) {
	test(`${name} works with TLS and without it on one port, and is counted to the byte`, async (t) => {
		const { proxy, echo } = await setUp(t);
		const ports = { origin: await startOrigin(t), echo };
		const sum = { up: 0, down: 0 };
		for (const client of [openTlsClient(t, proxy), openRawClient(t, proxy.port)]) {
			await use(client, ports);
			sum.up += client.socket.bytesWritten;
			sum.down += client.text().length;
			await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), sum), LIMIT_MS);
		}
	});
}

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
	test(`what is inside ${maxVersion} is counted to the byte, while it is open and when both ends are closed`, async (t) => {
		const { proxy, echo } = await setUp(t);
		const client = openTlsClient(t, proxy, { maxVersion });
		client.write(connectTo(echo));
		await client.until('\r\n\r\n');
		assert.equal(client.socket.getProtocol(), maxVersion);
		const bytes = randomBytes(3_000_000);
		client.write(bytes);
		client.write('THE END');
		const assertCounted = () =>
			eventually(async () => {
				const { bytesWritten, bytesRead } = client.socket;
				assert.deepEqual(proxy.service.usedBy('alice'), { up: bytesWritten, down: bytesRead });
			}, LIMIT_MS);
		const received = await client.until('THE END');
		assert.ok(Buffer.from(received, 'latin1').includes(bytes));
		await assertCounted();
		client.socket.end('last words');
		assert.match(await client.closed, /last words$/);
		await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
		await assertCounted();
	});
}

test('a new certificate is used by the next connection, and an open one goes on', async (t) => {
	const folder = temporaryFolder(t);
	const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
	copyFileSync(pemFile('expired'), certificateFile);
	writeFileSync(keyFile, readFileSync(KEY_FILE), { mode: 0o600 });
	const logger = createLogger('silent');
	const certificate = openCertificate({ certificateFile, keyFile, mayBeOpen: false, logger, lookEveryMs: 20 });
	t.after(certificate.stop);
	const { proxy, echo } = await setUp(t, { certificate });
	const connected = async () => {
		const client = openTlsClient(t, proxy, { rejectUnauthorized: false });
		client.write(connectTo(echo));
		await client.until('\r\n\r\n');
		return { client, year: client.socket.getPeerX509Certificate()?.validToDate.getUTCFullYear() };
	};
	const old = await connected();
	assert.equal(old.year, 2020);
	copyFileSync(pemFile('self-signed'), certificateFile);
	await eventually(async () => assert.equal((await connected()).year, 2126), LIMIT_MS);
	old.client.write('still here');
	await old.client.until('still here');
});

test('what is no TLS, or an old version of it, ends its own connection only', async (t) => {
	const { proxy, echo } = await setUp(t);
	const open = openTlsClient(t, proxy);
	open.write(connectTo(echo));
	await open.until('\r\n\r\n');
	assert.doesNotMatch(
		await answerTo(t, proxy.port, Buffer.concat([Buffer.of(0x16, 3, 1, 2, 0), randomBytes(512)])),
		/HTTP/,
	);
	const old = openTlsClient(t, proxy, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
	const [error] = await once(old.socket, 'error');
	assert.equal(error.code, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
	const inner = openTlsClient(t, proxy);
	inner.write(Buffer.of(0x16, 3, 1, 0, 1, 1));
	assert.match(await inner.closed, /^HTTP\/1\.1 400 /, 'there is no TLS inside TLS');
	// After the handshake, something that is not TLS.
	const socket = connect({ port: proxy.port, host: '127.0.0.1' });
	const broken = openTlsClient(t, { socket });
	broken.write(connectTo(echo));
	await broken.until('\r\n\r\n');
	socket.write(Buffer.alloc(64, 'no TLS'));
	await broken.closed;
	open.write('still here');
	await open.until('still here');
});

test('without a certificate, a client that speaks TLS hears that its request cannot be read', async (t) => {
	const { proxy } = await setUp(t, { certificate: undefined });
	assert.match(await answerTo(t, proxy.port, Buffer.of(0x16, 3, 1, 0, 1, 1)), /^HTTP\/1\.1 400 /);
});

test('a client with too many connections hears it inside TLS', async (t) => {
	const { proxy, echo } = await setUp(t, { maxConnectionsPerClient: 1 });
	const first = openTlsClient(t, proxy);
	first.write(connectTo(echo));
	await first.until('\r\n\r\n');
	const second = openTlsClient(t, proxy);
	second.write(connectTo(echo));
	assert.match(await second.closed, /^HTTP\/1\.1 429 .*X-Bursar-Reason: too_many_of_client/s);
	first.socket.destroy();
	await eventually(async () => {
		const third = openTlsClient(t, proxy);
		third.write(connectTo(echo));
		await third.until('HTTP/1.1 200 ');
	}, LIMIT_MS);
});

test('a client that does not come to its request is closed, inside TLS too, and at once when the proxy stops', async (t) => {
	const { proxy } = await setUp(t);
	const begun = openRawClient(t, proxy.port);
	begun.write(Buffer.of(0x16, 3, 1, 2, 0));
	const slow = openRawClient(t, proxy.port);
	slow.write(Buffer.of(0x16));
	const slowly = setInterval(() => slow.write(Buffer.of(3)), 500);
	t.after(() => clearInterval(slowly));
	const silent = openTlsClient(t, proxy);
	await Promise.all([begun, slow, silent].map(({ closed }) => closed));
	await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	const late = openTlsClient(t, proxy);
	await once(late.socket, 'secureConnect');
	const stopped = proxy.stop(LIMIT_MS);
	await late.closed;
	await stopped;
});
