import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { openTunnel } from '../support/proxy-client.ts';
import { exchange } from '../support/raw-exchange.ts';
import { openSquidShop } from '../support/squid-shop.ts';

const LIMIT_MS = 30_000;

test('Squid cuts who is suspended, says why it refuses, and lets others go on', { timeout: 120_000 }, async (t) => {
	const { api, alice, bob, origins, host } = await openSquidShop(t, { cuts: true });
	const target = { method: 'GET', target: `${origins.url}/bytes/100` } as const;
	const reasonOf = (text: string) => /^X-Bursar-Reason: (.*)\r$/im.exec(text)?.[1];
	const tunnels = await Promise.all([alice, alice, bob].map((pair) => openTunnel(t, host.port, pair, origins.raw)));
	const sinceMs = performance.now();
	await api.suspend({ username: 'alice' });
	await Promise.all(tunnels.slice(0, 2).map(({ ended }) => ended));
	t.diagnostic(`cut after ${Math.round(performance.now() - sinceMs)} ms`);
	await eventually(async () => {
		const { status, text } = await exchange(host.port, alice, target);
		assert.deepEqual([status, reasonOf(text)], [407, 'suspended']);
	}, LIMIT_MS);
	const wrong = await exchange(host.port, [alice[0], 'wrong'], target);
	assert.deepEqual([wrong.status, reasonOf(wrong.text)], [407, 'wrong_pair']);
	const good = await exchange(host.port, bob, target);
	assert.deepEqual([good.status, reasonOf(good.text)], [200, undefined]);
	await tunnels[2]?.exchange(5, 5);
	await api.resume({ username: 'alice' });
	await eventually(async () => assert.equal((await exchange(host.port, alice, target)).status, 200), LIMIT_MS);
});

test('Squid with --cut holds a limit of connections, and ends the newest', { timeout: 120_000 }, async (t) => {
	const { api, alice, origins, host } = await openSquidShop(t, { cuts: true });
	const tunnels: Awaited<ReturnType<typeof openTunnel>>[] = [];
	for (let n = 0; n < 3; n++) tunnels.push(await openTunnel(t, host.port, alice, origins.raw));
	const sinceMs = performance.now();
	await api.setLimits({ username: 'alice', connections: 2 });
	await tunnels[2]?.ended;
	t.diagnostic(`cut after ${Math.round(performance.now() - sinceMs)} ms`);
	await Promise.all([tunnels[0]?.exchange(5, 5), tunnels[1]?.exchange(5, 5)]);
	await eventually(async () => {
		assert.equal((await api.viewDetails({ username: 'alice' })).data.used.connections, 2);
	}, LIMIT_MS);
});
