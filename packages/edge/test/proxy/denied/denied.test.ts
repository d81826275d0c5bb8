import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { createDenied } from '../../../src/proxy/denied/denied.ts';
import { readDenied } from '../../../src/proxy/denied/read-denied.ts';
import type { ProxyOptions } from '../../../src/proxy/proxy.ts';
import { keptLog } from '../../support/outgoing.ts';
import { answerTo, openRawClient } from '../../support/raw-client.ts';
import { basic, KEY, startOrigin, startTestProxy, upstreamsOf } from '../../support/running-proxy.ts';
import { SOCKS_OPENED, socksRequest } from '../../support/socks-messages.ts';
import { startUpstream } from '../../support/upstreams.ts';

const LIMIT_MS = 60_000;
const BOB = ['bob.b', 'Bbbbbbbb12345678'] as const;
/** All of these names lead to the origin on this machine, and some to other addresses too. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
	'two.example': ['127.0.0.2', '127.0.0.1'],
	'far.example': ['127.0.0.2'],
};

async function setUp(t: TestContext, text: string, options: Partial<ProxyOptions> = {}) {
	const { logger, lines, text: log } = keptLog();
	const origin = await startOrigin(t);
	let lookUps = 0;
	const lookUp = async (name: string) => {
		lookUps++;
		return ADDRESSES[name] ?? ['127.0.0.1'];
	};
	const proxy = await startTestProxy(t, {
		logger,
		destinations: { allowPrivate: true, lookUp },
		denied: createDenied(readDenied(text), logger),
		...options,
	});
	proxy.service.limits.set('bob.b', { reseller: 'other' });

	/** What a plain request gets, and what CONNECT gets. */
	async function ask(host: string, pair: readonly [string, string] = ['alice', KEY], port = origin): Promise<string> {
		const head = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic(...pair)}\r\n\r\n`;
		const [plain, tunnel] = await Promise.all([
			answerTo(t, proxy.port, `GET http://${host}:${port}/ HTTP/1.1\r\n${head}`),
			answerTo(t, proxy.port, `CONNECT ${host}:${port} HTTP/1.1\r\n${head}GET / HTTP/1.0\r\n\r\n`),
		]);
		const reason = (answer: string) => /X-Bursar-Reason: (\S+)/.exec(answer)?.[1] ?? answer.slice(9, 12);
		return [...new Set([plain, tunnel].map(reason))].join();
	}
	return { proxy, origin, ask, lines, log, lookUps: () => lookUps };
}

test('a denied name is not reached by case, a final dot, a name below it, or a second look-up', async (t) => {
	const { ask, lookUps } = await setUp(t, 'casino.example');
	for (const host of [
		'casino.example',
		'CASINO.example',
		'casino.example.',
		'a.b.casino.example',
		'%63asino.example',
	]) {
		assert.equal(await ask(host), 'denied_destination', host);
	}
	// A denied name is not even looked up.
	assert.equal(lookUps(), 0);
	assert.equal(await ask('mycasino.example'), '200');
});

test('a denied network is not reached by a literal address in any form, nor by a name that leads there', async (t) => {
	const { ask, proxy, origin } = await setUp(t, '127.0.0.2/31\n[::1]\n');
	for (const host of ['127.0.0.2', '127.0.0.3', '0x7f.2', '2130706434', '[::ffff:127.0.0.2]', '[::1]', '[0:0::1]']) {
		assert.equal(await ask(host), 'denied_destination', host);
	}
	assert.equal(await ask('far.example'), 'denied_destination');
	// Of a name with several addresses, only those are used that are not denied.
	assert.equal(await ask('two.example'), '200');
	assert.equal(await ask('127.0.0.1'), '200');
	const open = openRawClient(t, proxy.port);
	open.write(socksRequest('alice', KEY, origin));
	await open.until(SOCKS_OPENED);
	const denied = socksRequest('alice', KEY, origin);
	denied[denied.length - 3] = 2;
	assert.ok((await answerTo(t, proxy.port, denied)).endsWith('\x05\x02\x00\x01\0\0\0\0\0\0'));
});

test('a port is denied everywhere, or of one domain', async (t) => {
	const { ask, origin } = await setUp(t, '*:6881\ncasino.example:8080\n');
	const at = (host: string, port: number) => ask(host, ['alice', KEY], port);
	assert.equal(await at('any.example', 6881), 'denied_destination');
	assert.equal(await at('127.0.0.1', 6881), 'denied_destination');
	assert.equal(await at('www.casino.example', 8080), 'denied_destination');
	assert.equal(await at('www.casino.example', origin), '200');
});

test('what is denied to a reseller is denied to its accounts, and to no other', async (t) => {
	const { ask, log } = await setUp(t, 'all.example\nreseller acme:\nacme.example\nreseller other:\nother.example\n');
	for (const [host, alice, bob] of [
		['all.example', 'denied_destination', 'denied_destination'],
		['acme.example', 'denied_destination', '200'],
		['other.example', '200', 'denied_destination'],
	] as const) {
		assert.deepEqual([await ask(host), await ask(host, BOB)], [alice, bob], host);
	}
	assert.ok(!log().includes('the service is older'));
});

test('with an older service, only what is denied to all is denied, and the log says so once', async (t) => {
	const { proxy, ask, log } = await setUp(t, 'all.example\nreseller acme:\nacme.example\n');
	proxy.service.limits.set('alice', { reseller: null });
	assert.deepEqual([await ask('all.example'), await ask('acme.example')], ['denied_destination', '200']);
	assert.equal(log().split('the service is older and names no resellers').length, 2);
	// Once the service is newer, the next check says whose account it is.
	proxy.service.limits.delete('alice');
	await eventually(async () => assert.equal(await ask('acme.example'), 'denied_destination'), LIMIT_MS);
	const { ask: askOther, proxy: other, log: otherLog } = await setUp(t, 'all.example\n');
	other.service.limits.set('alice', { reseller: null });
	assert.equal(await askOther('all.example'), 'denied_destination');
	assert.ok(!otherLog().includes('the service is older'));
});

test('clients see why, the service is told, and so are the log and the metrics', async (t) => {
	const { proxy, lines } = await setUp(t, 'casino.example');
	const head = `Proxy-Authorization: ${basic('alice', KEY)}\r\n\r\n`;
	assert.match(
		await answerTo(t, proxy.port, `CONNECT casino.example:443 HTTP/1.1\r\n${head}`),
		/^HTTP\/1\.1 403 Destination denied\r\n[\s\S]*X-Bursar-Reason: denied_destination\r\n/,
	);
	assert.equal(proxy.stats.noWay.denied_destination, 1);
	await eventually(async () => assert.equal(lines('connection')[0]?.reason, 'denied_destination'), LIMIT_MS);
	await eventually(async () => {
		const told = proxy.service.refusedClients.map(({ username, reason, count }) => `${username} ${reason} ${count}`);
		assert.deepEqual(told, ['alice denied_destination 1']);
	}, LIMIT_MS);
});

test('through an upstream, names, literal addresses and ports are checked, and nothing is looked up', async (t) => {
	const upstream = await startUpstream.http(t);
	const upstreams = upstreamsOf(`http://carol:secret@127.0.0.1:${upstream.port}`);
	const { ask, lookUps } = await setUp(t, 'casino.example\n127.0.0.2\n*:6881\n', { upstreams });
	for (const host of ['www.casino.example.', '127.0.0.2', '[::ffff:127.0.0.2]']) {
		assert.equal(await ask(host), 'denied_destination', host);
	}
	assert.equal(await ask('other.example', ['alice', KEY], 6881), 'denied_destination');
	assert.equal(upstream.seen.length, 0);
	assert.equal(await ask('127.0.0.1'), '200');
	assert.equal(lookUps(), 0);
});
