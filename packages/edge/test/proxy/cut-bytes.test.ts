import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { KEY_FILE, pemFile } from '../support/certificates.ts';
import { openRawClient, type RawClient } from '../support/raw-client.ts';
import { basic, KEY, startFountain, startTestProxy, type TestProxy } from '../support/running-proxy.ts';
import { openTlsClient } from '../support/tls-client.ts';

const LIMIT_MS = 60_000;
const CLIENTS = 8;
/** What the proxy writes to a client at once. Over TLS, it cannot know how much of it the system has taken. */
const MAX_WRITE_BYTES = 65_536;
const PAIR = `Host: x\r\nProxy-Authorization: ${basic('alice', KEY)}\r\n`;
const CERTIFICATE = {
	context: createSecureContext({ cert: readFileSync(pemFile('self-signed')), key: readFileSync(KEY_FILE) }),
};

/** An origin that answers without end. Returns its port. */
async function startEndless(test: TestContext): Promise<number> {
	const chunk = Buffer.alloc(65_536, 'x');
	const origin = createServer((_request, response) => {
		const more = () => {
			while (response.writable && response.write(chunk));
		};
		response.on('drain', more).on('error', () => {});
		more();
	});
	return (await listen(test, origin)).port;
}

/** Clients that read nothing any more, so that the system has taken a part of what is being written to each. */
async function fill({ service }: TestProxy, clients: readonly RawClient[], head: string): Promise<void> {
	await Promise.all(
		clients.map(async (client) => {
			client.write(head);
			await client.until('\r\n\r\n');
			client.socket.pause();
		}),
	);
	await eventually(async () => {
		const before = service.usedBy('alice').down;
		await pause(1_500);
		assert.equal(service.usedBy('alice').down, before);
	}, LIMIT_MS);
}

/** Cuts all clients, which read on after that. Resolves to what they have received in all, to the last byte. */
async function cut(proxy: TestProxy, clients: readonly RawClient[]): Promise<number> {
	proxy.service.refused.set('alice', 'suspended');
	await eventually(async () => assert.equal(proxy.stats.connections, 0), LIMIT_MS);
	for (const { socket } of clients) socket.resume();
	const texts = await Promise.all(clients.map(({ closed }) => closed));
	return texts.reduce((sum, { length }) => sum + length, 0);
}

const connectTo = (target: string) => `CONNECT ${target}`;
const get = (target: string) => `GET http://${target}/`;
const cases = [
	{ name: 'a tunnel', start: startFountain, line: connectTo, open: openRawClient, mostBytes: 0 },
	{ name: 'an answer', start: startEndless, line: get, open: openRawClient, mostBytes: 0 },
	{
		name: 'a tunnel over TLS',
		start: startFountain,
		line: connectTo,
		open: (test: TestContext, port: number) => openTlsClient(test, { port }),
		mostBytes: MAX_WRITE_BYTES,
	},
];

for (const { name, start, line, open, mostBytes } of cases) {
	test(`${name} that is cut counts at least what its client has received, and at most ${mostBytes} bytes more`, async (t) => {
		const proxy = await startTestProxy(t, { certificate: CERTIFICATE });
		const port = await start(t);
		const clients = Array.from({ length: CLIENTS }, () => open(t, proxy.port));
		await fill(proxy, clients, `${line(`127.0.0.1:${port}`)} HTTP/1.1\r\n${PAIR}\r\n`);
		const received = await cut(proxy, clients);
		await proxy.reporter.flush();
		const { down } = proxy.service.usedBy('alice');
		t.diagnostic(`${received} received, ${down - received} more counted`);
		assert.ok(down >= received, `${received - down} bytes of ${received} are not counted`);
		assert.ok(down <= received + CLIENTS * mostBytes, `${down - received} bytes too many are counted`);
	});
}
