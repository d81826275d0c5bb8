import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { allowedAddresses } from '@bursar/contract/allowed-ips';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { startCountingRelay } from '../../support/counting-relay.ts';
import { keptLog, outgoingOf, startMirrors } from '../../support/outgoing.ts';
import { answerTo, openRawClient } from '../../support/raw-client.ts';
import { basic, KEY, startFountain, startTestProxy } from '../../support/running-proxy.ts';
import { SOCKS_OPENED, socksRequest } from '../../support/socks-messages.ts';

const LIMIT_MS = 60_000;
/** No machine has such an address. */
const NOT_HERE = '240.0.0.1';

const headOf = (password = KEY) => `Host: x\r\nProxy-Authorization: ${basic('alice', password)}\r\n`;
const get = (target: string, password?: string) =>
	`GET http://${target}/ HTTP/1.1\r\n${headOf(password)}Connection: close\r\n\r\n`;
const tunnel = (target: string, password?: string) => `CONNECT ${target} HTTP/1.1\r\n${headOf(password)}\r\n`;

/** From where each of these connections arrives, by plain requests, CONNECT and SOCKS5. */
async function arrivals(t: TestContext, proxyPort: number, ports: { http: number; echo: number }, password = KEY) {
	const plain = await answerTo(t, proxyPort, get(`127.0.0.1:${ports.http}`, password));
	const connect = openRawClient(t, proxyPort);
	connect.write(tunnel(`127.0.0.1:${ports.echo}`, password));
	const connected = await connect.until('\n\r\n').then(() => connect.until('.'));
	const socks = openRawClient(t, proxyPort);
	socks.write(socksRequest('alice', password, ports.echo));
	const opened = await socks.until('you: ');
	assert.ok(opened.startsWith(SOCKS_OPENED), JSON.stringify(opened));
	const texts = [plain, connected, await socks.until('\n')];
	for (const { socket } of [connect, socks]) socket.destroy();
	return texts.map((text) => /you: (\S+)/.exec(text)?.[1] ?? text);
}

test('each connection leaves from an address of the list: plain requests, CONNECT and SOCKS5', async (t) => {
	const mirrors = await startMirrors(t);
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10,127.0.0.11,127.1.2.0/24') });
	const seen: string[] = [];
	for (let round = 0; round < 20; round++) seen.push(...(await arrivals(t, proxy.port, mirrors)));
	assert.ok(
		seen.every((address) => /^127\.(0\.0\.1[01]|1\.2\.\d+)$/.test(address)),
		seen.join(),
	);
	assert.ok(new Set(seen).size > 3, seen.join());
});

test('a session keeps its address over all protocols, and a client gets the address that it may ask for', async (t) => {
	const mirrors = await startMirrors(t);
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10,127.0.0.11,127.1.0.0/16', true) });
	const of = (options: string) => arrivals(t, proxy.port, mirrors, `${KEY}_${options}`);
	const session = await of('session-a1');
	for (let round = 0; round < 5; round++) assert.deepEqual(await of('session-a1'), session);
	assert.equal(new Set(session).size, 1);
	assert.deepEqual(await of('from-127.1.9.9'), ['127.1.9.9', '127.1.9.9', '127.1.9.9']);
	assert.deepEqual(await of('from-2'), ['127.0.0.11', '127.0.0.11', '127.0.0.11']);
	for (const options of ['from-127.0.0.12', 'from-4', 'country-US']) {
		const answer = await answerTo(t, proxy.port, tunnel(`127.0.0.1:${mirrors.echo}`, `${KEY}_${options}`));
		assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*X-Bursar-Reason: invalid_options/, options);
	}
	const closed = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10,127.0.0.11') });
	assert.match(
		await answerTo(t, closed.port, get(`127.0.0.1:${mirrors.http}`, `${KEY}_from-1`)),
		/^HTTP\/1\.1 400 [\s\S]*invalid_options/,
	);
});

test('the address of another family is never used: only destinations of the same family are connected to', async (t) => {
	const mirrors = await startMirrors(t);
	const lookUp = async (name: string) =>
		({ 'six.example': ['::1'], 'both.example': ['::1', '127.0.0.1'] })[name] ?? ['127.0.0.1'];
	const destinations = { allowPrivate: true, lookUp };
	const four = await startTestProxy(t, { destinations, outgoing: outgoingOf('127.0.0.10') });
	for (const host of ['[::1]', 'six.example']) {
		for (const request of [get(`${host}:${mirrors.http}`), tunnel(`${host}:${mirrors.http}`)]) {
			assert.match(
				await answerTo(t, four.port, request),
				/^HTTP\/1\.1 502 No outgoing address of this family\r\n[\s\S]*no_outgoing_address[\s\S]*only IPv6/,
			);
		}
	}
	assert.match(await answerTo(t, four.port, get(`both.example:${mirrors.http}`)), /you: 127\.0\.0\.10$/);
	const six = await startTestProxy(t, { destinations, outgoing: outgoingOf('::1') });
	assert.match(await answerTo(t, six.port, get(`127.0.0.1:${mirrors.http}`)), /^HTTP\/1\.1 502 .*no_outgoing_address/s);
	const name = Buffer.from('five.example');
	const asked = socksRequest('alice', KEY, mirrors.http);
	const byName = Buffer.concat([asked.subarray(0, -7), Buffer.of(3, name.length), name, asked.subarray(-2)]);
	assert.ok((await answerTo(t, six.port, byName)).endsWith('\x05\x04\x00\x01\0\0\0\0\0\0'));
	// It is the fault of the destination, so no refusal is told.
	await Promise.all([four.stop(0), six.stop(0)]);
	assert.deepEqual([four.service.refusedClients, six.service.refusedClients], [[], []]);
});

test('an address that cannot be bound fails no client, is told once, and all bytes count once', async (t) => {
	const mirrors = await startMirrors(t);
	const { logger, lines } = keptLog();
	const outgoing = outgoingOf(`${NOT_HERE},127.0.0.10`);
	const proxy = await startTestProxy(t, { outgoing, logger });
	const relay = await startCountingRelay(t, proxy.port);
	for (let round = 0; round < 20; round++) {
		assert.deepEqual(await arrivals(t, relay.port, mirrors), ['127.0.0.10', '127.0.0.10', '127.0.0.10']);
		const client = openRawClient(t, relay.port);
		// What a client sends early waits for the address that works.
		client.write(`${tunnel(`127.0.0.1:${mirrors.echo}`)}early ${'x'.repeat(100_000)}!`);
		assert.match(await client.until('!'), /\r\n\r\nyou: 127\.0\.0\.10\nearly x+!$/);
		client.socket.end();
		await client.closed;
		const post = get(`127.0.0.1:${mirrors.http}`)
			.replace('GET', 'POST')
			.replace('\r\n\r\n', '\r\nContent-Length: 100000\r\n\r\n');
		assert.match(await answerTo(t, relay.port, post + 'x'.repeat(100_000)), /you: 127\.0\.0\.10 sent 100000$/);
	}
	assert.ok((outgoing.states[0]?.failures ?? 0) >= 1);
	assert.deepEqual([outgoing.states[0]?.isUp, outgoing.states[1]?.isUp], [false, true]);
	await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	await eventually(async () => assert.equal(lines('connection').length, 100), LIMIT_MS);
	assert.ok(lines('connection').every(({ from }) => from === '127.0.0.10'));
});

test('if no address can be bound, the client gets a 502 at once, and the proxy goes on', async (t) => {
	const mirrors = await startMirrors(t);
	const proxy = await startTestProxy(t, { outgoing: outgoingOf(`${NOT_HERE},240.0.2.0/24,240.0.0.2`, true) });
	for (let round = 0; round < 5; round++) {
		assert.match(await answerTo(t, proxy.port, get(`127.0.0.1:${mirrors.http}`)), /^HTTP\/1\.1 502 Destination not/);
		assert.match(await answerTo(t, proxy.port, tunnel(`127.0.0.1:${mirrors.echo}`)), /^HTTP\/1\.1 502 Destination not/);
	}
	assert.match(
		await answerTo(t, proxy.port, tunnel(`127.0.0.1:${mirrors.echo}`, `${KEY}_from-240.0.2.9`)),
		/^HTTP\/1\.1 502 Destination not/,
	);
});

test('the addresses of a destination are tried one after another, all from the same outgoing address', async (t) => {
	const mirrors = await startMirrors(t);
	const lookUp = async () => ['127.0.0.9', '127.0.0.8', '127.0.0.1'];
	const destinations = { allowPrivate: true, lookUp };
	const { logger, lines } = keptLog();
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10,127.0.0.11'), destinations, logger });
	assert.match(await answerTo(t, proxy.port, get(`a.example:${mirrors.http}`)), /you: 127\.0\.0\.1[01]$/);
	const client = openRawClient(t, proxy.port);
	client.write(tunnel(`a.example:${mirrors.echo}`));
	await client.until('you: 127.0.0.1');
	client.socket.destroy();
	assert.match(await answerTo(t, proxy.port, tunnel('a.example:1')), /^HTTP\/1\.1 502 /);
	await eventually(async () => assert.equal(lines('connection').length, 3), LIMIT_MS);
	// Also where a connection failed, the log says from where it was tried.
	for (const { from } of lines('connection')) assert.match(String(from), /^127\.0\.0\.1[01]$/);
	assert.deepEqual(proxy.stats.noWay.no_outgoing_address, 0);
});

test('the log has a line for each outgoing address of a connection, and the bytes of all lines are those reported', async (t) => {
	const { http } = await startMirrors(t);
	const { logger, lines } = keptLog();
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10,127.0.0.11', true), logger });
	const relay = await startCountingRelay(t, proxy.port);
	const client = openRawClient(t, relay.port);
	const ask = async (password: string, count: number) => {
		client.write(`GET http://127.0.0.1:${http}/ HTTP/1.1\r\n${headOf(password)}\r\n`);
		await eventually(async () => assert.equal(client.text().split('you: ').length - 1, count), LIMIT_MS);
	};
	const options = ['from-1', 'from-1', 'from-2', 'from-1_session-x'];
	for (const [index, one] of options.entries()) await ask(`${KEY}_${one}`, index + 1);
	client.socket.end();
	await client.closed;
	await eventually(async () => assert.equal(lines('connection').length, 3), LIMIT_MS);
	assert.deepEqual(
		lines('connection').map(({ from, reason }) => `${from} ${reason}`),
		['127.0.0.10 next_destination', '127.0.0.11 next_destination', '127.0.0.10 closed'],
	);
	await eventually(async () => assert.deepEqual(proxy.service.usedBy('alice'), relay.bytes), LIMIT_MS);
	const sum = (name: string) => lines('connection').reduce((all, line) => all + Number(line[name]), 0);
	assert.deepEqual({ up: sum('bytesUp'), down: sum('bytesDown') }, relay.bytes);
});

test('a tunnel from an outgoing address carries much both ways, and half of it may be closed', async (t) => {
	const sink = createServer({ allowHalfOpen: true }, (socket) => {
		let bytes = 0;
		socket
			.on('error', () => {})
			.on('data', (chunk) => {
				bytes += chunk.length;
			});
		socket.on('end', () => socket.end(`got ${bytes}`));
	});
	const { port } = await listen(t, sink);
	const fountain = await startFountain(t);
	const proxy = await startTestProxy(t, { outgoing: outgoingOf('127.0.0.10') });
	const relay = await startCountingRelay(t, proxy.port);
	const up = openRawClient(t, relay.port);
	up.write(tunnel(`127.0.0.1:${port}`));
	await up.until('\r\n\r\n');
	up.write(Buffer.alloc(20_000_000, 'u'));
	up.socket.end();
	assert.match(await up.closed, /got 20000000$/);
	const down = openRawClient(t, relay.port);
	down.socket.removeAllListeners('data');
	let received = 0;
	await new Promise<void>((resolve) => {
		down.socket.on('data', (chunk) => {
			received += chunk.length;
			if (received > 50_000_000) resolve();
		});
		down.write(tunnel(`127.0.0.1:${fountain}`));
	});
	down.socket.destroy();
	await eventually(async () => {
		const used = proxy.service.usedBy('alice');
		assert.equal(used.up, relay.bytes.up);
		assert.ok(used.down >= received);
	}, LIMIT_MS);
});

test('clients never reach this machine, nor a network of which its connections leave', async (t) => {
	const mirrors = await startMirrors(t);
	const list = '127.0.0.10,203.0.112.0/24,2a00:1450::/64';
	const destinations = {
		allowPrivate: false,
		allowed: [{ address: '127.0.0.1', port: mirrors.http }],
		isRoutedHere: allowedAddresses(list.split(',')),
	};
	const proxy = await startTestProxy(t, { outgoing: outgoingOf(list), destinations });
	const own = ['127.0.0.10', '127.0.0.1', '203.0.112.9', '[2a00:1450::9]', '[::ffff:203.0.112.9]'];
	for (const host of own) {
		const answer = await answerTo(t, proxy.port, tunnel(`${host}:${mirrors.echo}`));
		assert.match(answer, /^HTTP\/1\.1 403 [\s\S]*refused_destination/, host);
	}
	assert.match(await answerTo(t, proxy.port, get(`127.0.0.1:${mirrors.http}`, `${KEY}_session-a`)), /you: 127/);
});
