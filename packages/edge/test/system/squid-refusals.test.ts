import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { pass, startRelay } from '@bursar/testing/relay';
import { openTunnel } from '../support/proxy-client.ts';
import { exchange, exchangeWith } from '../support/raw-exchange.ts';
import { openSquidShop } from '../support/squid-shop.ts';

const LIMIT_MS = 20_000;

test('no account pays for a wrong password, also if it arrives while the right one is being checked', async (t) => {
	// The answers of the service are late, so that checks overlap.
	const between = async (url: string) => {
		const relay = await startRelay(t, url, ({ client, server, delay }) =>
			Promise.all([
				pass(client, server),
				pass(server, client, async (bytes) => {
					await delay(400);
					return bytes;
				}),
			]),
		);
		return relay.url;
	};
	const { alice, origins, host, assertCounted } = await openSquidShop(t, { between });
	const right = { up: 0, down: 0 };
	const target = { method: 'GET', target: `${origins.url}/bytes/100` } as const;
	for (let round = 0; round < 5; round++) {
		const good = exchange(host.port, alice, target);
		await setTimeout(80);
		const wrong = (round < 3 ? ['wrong', 'wrong', 'wrong'] : [`${alice[1]}x`, alice[1].slice(1), '_']).map((password) =>
			exchange(host.port, [alice[0], password], target),
		);
		const unknown = exchange(host.port, ['nobody', alice[1]], target);
		for (const { status } of await Promise.all([...wrong, unknown])) assert.equal(status, 407);
		const { status, up, down } = await good;
		assert.equal(status, 200);
		right.up += up;
		right.down += down;
		// Longer than Squid and its helpers keep an answer.
		await setTimeout(2_500);
	}
	await assertCounted('alice', { bytes: right });
});

test('no bytes in names, passwords and headers stop Squid or its helpers', async (t) => {
	const random = randomFrom(printedSeed(t));
	const { alice, origins, host, assertCounted } = await openSquidShop(t);
	const target = { method: 'GET', target: `${origins.url}/bytes/10` } as const;
	const first = await exchange(host.port, alice, target);
	assert.equal(first.status, 200);
	const helpers = host.helpers();
	const name = alice[0];
	const passwords = [
		'\xff',
		'\xff\xff',
		'\0',
		'%',
		'%zz',
		'%00',
		' ',
		'a b c',
		'\t',
		'\x1b[31m',
		'"',
		'\\',
		'9'.repeat(4_000),
		'\xff'.repeat(3_000),
		'%'.repeat(20_000),
		...Array.from({ length: 200 }, () =>
			String.fromCharCode(...Array.from({ length: 1 + random.below(40) }, () => random.below(256))),
		),
	];
	const statuses = await Promise.all([
		...passwords.map((password) => exchange(host.port, [name, password], target)),
		...passwords.map((username) => exchange(host.port, [username, alice[1]], target)),
		...['Basic', 'Basic ', 'Basic \xff\xfe', 'Basic !!!', `Basic ${'A'.repeat(30_000)}`, 'Digest x', '\xff'].map(
			(value) => exchangeWith(host.port, `Proxy-Authorization: ${value}\r\n`, target),
		),
	]);
	for (const { status } of statuses) assert.notEqual(status, 200);
	assert.equal(host.squid.process().child.exitCode, null);
	for (const helper of helpers) assert.ok(host.helpers().includes(helper), 'a helper has ended');
	const last = await exchange(host.port, alice, target);
	assert.equal(last.status, 200, last.text.slice(0, 200));
	await assertCounted('alice', { bytes: { up: first.up + last.up, down: first.down + last.down } });
});

test('private addresses and the manager are out of reach for users', async (t) => {
	const { alice, host, service } = await openSquidShop(t);
	const port = new URL(service.opsUrl).port;
	for (const address of [
		'127.0.0.1',
		'0.0.0.0',
		'[::1]',
		'[::ffff:127.0.0.1]',
		'localhost',
		'10.0.0.1',
		'169.254.169.254',
	]) {
		const plain = await exchange(host.port, alice, { method: 'GET', target: `http://${address}:${port}/livez` });
		assert.equal(plain.status, 403, address);
		const tunnel = await exchange(host.port, alice, { method: 'CONNECT', target: `${address}:${port}` });
		assert.equal(tunnel.status, 403, address);
	}
});

test('after a reset the old pair is refused, its tunnels are cut, and others go on', async (t) => {
	const { api, alice, bob, origins, host, relay, assertCounted } = await openSquidShop(t, { cuts: true });
	const ofAlice = await openTunnel(t, relay.port, alice, origins.raw);
	const ofBob = await openTunnel(t, host.port, bob, origins.raw);
	await ofAlice.exchange(10, 1_000);
	await assertCounted('alice', relay);

	const key = (await api.resetAuthKey({ username: 'alice' })).data.proxy_authkey as string;
	const resetAtMs = performance.now();
	const target = { method: 'GET', target: `${origins.url}/bytes/10` } as const;
	const refused = eventually(
		async () => assert.equal((await exchange(host.port, alice, target)).status, 407),
		LIMIT_MS,
	).then(() => t.diagnostic(`the old pair was refused after ${Math.round(performance.now() - resetAtMs)} ms`));
	const renewed = ['alice', key] as const;
	const next = await eventually(() => openTunnel(t, relay.port, renewed, origins.raw), LIMIT_MS);
	await Promise.race([ofAlice.ended, setTimeout(LIMIT_MS).then(() => assert.fail('the tunnel was not cut'))]);
	t.diagnostic(`its tunnel was cut after ${Math.round(performance.now() - resetAtMs)} ms`);
	await refused;
	await setTimeout(5_000);
	await next.exchange(10, 10);
	await ofBob.exchange(10, 10);
});

test('where connections cannot be ended, squid-usage says so and counts on', async (t) => {
	const { alice, origins, host, relay, assertCounted } = await openSquidShop(t, { cuts: true, mayEnd: false });
	assert.match(host.usage.process().stdout(), /connections cannot be ended here/);
	const tunnel = await openTunnel(t, relay.port, alice, origins.raw);
	await tunnel.exchange(10, 1_000);
	await assertCounted('alice', relay);
});

test('a balance that has run out refuses the pair and cuts its tunnel, and a give opens again', async (t) => {
	const { service, api, alice, bob, origins, host } = await openSquidShop(t, { cuts: true });
	const give = (username: string, amount_usd_cents: number) => api.give({ username, amount_usd_cents });
	for (const [username] of [alice, bob]) assert.equal((await give(username, 1)).status, 200);
	// A cent pays for 10 MB.
	await service.setPrice('acme', 1_000_000);
	const ofAlice = await openTunnel(t, host.port, alice, origins.raw);
	const ofBob = await openTunnel(t, host.port, bob, origins.raw);
	await ofAlice.exchange(10, 12_000_000);
	const usedUpAtMs = performance.now();
	await ofAlice.ended;
	t.diagnostic(`cut after ${Math.round(performance.now() - usedUpAtMs)} ms`);
	const target = { method: 'GET', target: `${origins.url}/bytes/10` } as const;
	assert.equal((await exchange(host.port, alice, target)).status, 407);
	await ofBob.exchange(10, 10);
	await give('alice', 1);
	const givenAtMs = performance.now();
	await eventually(async () => assert.equal((await exchange(host.port, alice, target)).status, 200), LIMIT_MS);
	t.diagnostic(`open again after ${Math.round(performance.now() - givenAtMs)} ms`);
});
