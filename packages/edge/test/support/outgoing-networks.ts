import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { keptLog, outgoingOf } from './outgoing.ts';
import { answerTo, type RawClient, rawClientOn } from './raw-client.ts';
import { basic, KEY, startTestProxy } from './running-proxy.ts';

// Runs in a network namespace that test/system/outgoing-networks.test.ts sets up.

const LIMIT_MS = 60_000;
const sysctl = (name: string, value: string) => writeFileSync(`/proc/sys/net/${name}`, value);
const request = (target: string, password = KEY) =>
	`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`;

/** A server on every address that says from where a client comes, and then closes or waits. */
async function startMirror(t: TestContext, waits = false): Promise<number> {
	const mirror = createServer((socket) => {
		socket.on('error', () => {}).write(`you: ${socket.remoteAddress};`);
		if (!waits) socket.end();
	});
	const { promise, resolve } = Promise.withResolvers<void>();
	mirror.listen(0, '::', resolve);
	t.after(() => mirror.close());
	await promise;
	return (mirror.address() as { port: number }).port;
}

test('a /64 that is routed to this machine sends from as many addresses as connections, once the kernel may', async (t) => {
	const port = await startMirror(t);
	const outgoing = outgoingOf('2001:db8:1:2::/64');
	const proxy = await startTestProxy(t, { outgoing });
	sysctl('ipv6/ip_nonlocal_bind', '0');
	assert.match(await answerTo(t, proxy.port, request(`[::1]:${port}`)), / 502 Destination not reached/);
	assert.equal(outgoing.states[0]?.isUp, false);
	sysctl('ipv6/ip_nonlocal_bind', '1');
	const seen = new Set<string>();
	for (let round = 0; round < 20; round++) seen.add(await answerTo(t, proxy.port, request(`[::1]:${port}`)));
	assert.equal(seen.size, 20);
	for (const text of seen) assert.match(text, /you: 2001:db8:1:2:[0-9a-f:]+;$/);
});

test('an IPv4 network that is routed to this machine needs only its route', async (t) => {
	const port = await startMirror(t);
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('203.0.113.0/24') });
	for (let round = 0; round < 20; round++) {
		assert.match(await answerTo(t, proxy.port, request(`127.0.0.1:${port}`)), /you: (::ffff:)?203\.0\.113\.\d+;$/);
	}
});

test('an address whose ports are all in use fails no client: its connections leave from another', async (t) => {
	const port = await startMirror(t, true);
	const outgoing = outgoingOf('127.0.0.10,127.0.0.11');
	const proxy = await startTestProxy(t, { outgoing });
	sysctl('ipv4/ip_local_port_range', '40000 40039');
	t.after(() => sysctl('ipv4/ip_local_port_range', '32768 60999'));
	const clients: RawClient[] = [];
	for (let index = 0; index < 60; index++) {
		// Clients need ports too, so they come from several addresses.
		const localAddress = `127.0.1.${1 + (index % 4)}`;
		const client = rawClientOn(t, connect({ port: proxy.port, host: '127.0.0.1', localAddress }));
		client.write(request(`127.0.0.1:${port}`, `${KEY}_session-a`));
		clients.push(client);
		await client.until(';');
	}
	const seen = clients.map((client) => /127\.0\.0\.1[01]/.exec(client.text())?.[0]);
	assert.deepEqual(
		[...new Set(seen)].map((one) => seen.filter((other) => other === one).length),
		[40, 20],
	);
	assert.deepEqual(outgoing.states.map(({ isUp }) => isUp).toSorted(), [false, true]);
});

test('an address that does not answer costs a quarter of a second if there is another, and ends with its client', async (t) => {
	const port = await startMirror(t);
	const lookUp = async (name: string) =>
		name === 'silent.example' ? ['198.51.100.99'] : ['198.51.100.98', '198.51.100.99', '198.51.100.1'];
	const destinations = { allowPrivate: true, lookUp };
	const { logger, lines } = keptLog();
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('198.51.100.1'), destinations, logger });
	assert.match(await answerTo(t, proxy.port, request(`a.example:${port}`)), /you: (::ffff:)?198\.51\.100\.1;$/);
	const client = rawClientOn(t, connect(proxy.port, '127.0.0.1'));
	client.write(request(`silent.example:${port}`));
	await eventually(async () => assert.equal(proxy.stats.tunnels, 2), LIMIT_MS);
	client.socket.resetAndDestroy();
	await eventually(async () => assert.equal(lines('connection')[1]?.reason, 'closed'), LIMIT_MS);
	assert.equal(proxy.stats.connections, 0);
});
