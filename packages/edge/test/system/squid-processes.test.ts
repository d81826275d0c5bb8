import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { startServer } from '@bursar/testing/bursar-process';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { testDatabases } from '@bursar/testing/postgres-server';
import { openEdge, openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { openTunnel } from '../support/proxy-client.ts';
import { exchange } from '../support/raw-exchange.ts';
import { openSquidShopOf, usageOf } from '../support/squid-shop.ts';

const databases = await testDatabases();
after(() => databases.remove());

const LIMIT_MS = 60_000;

/** A balancer in front of edge listeners: each connection goes to the next one. Returns its address. */
async function startBalancer(t: TestContext, edgeUrls: readonly string[]) {
	const taken = edgeUrls.map(() => 0);
	let next = 0;
	const server = createServer((client) => {
		const index = next++ % edgeUrls.length;
		taken[index] = (taken[index] ?? 0) + 1;
		const service = connect(Number(new URL(edgeUrls[index] ?? '').port), '127.0.0.1');
		for (const [socket, other] of [
			[client, service],
			[service, client],
		] as const) {
			socket.on('error', () => {}).on('close', () => other.destroy());
		}
		client.pipe(service).pipe(client);
	});
	return { url: `http://127.0.0.1:${(await listen(t, server)).port}`, taken };
}

test('with two service processes over PostgreSQL, Squid counts to the byte, and a reset pair is refused and cut', async (t) => {
	const environment = {
		BURSAR_DATABASE_URL: await databases.createDatabase(),
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_EDGE_PORT: '0',
	};
	const config = readConfig(environment);
	const { token } = await openReseller(config, 'acme', 100_000);
	const key = await openEdge(config, 'squid-1');
	const folder = temporaryFolder(t);
	const servers = await Promise.all([1, 2].map(() => startServer(t, folder, { environment })));
	const edgeUrls = servers.map(({ edgeUrl = '' }) => edgeUrl);
	for (const edgeUrl of edgeUrls) {
		const edge = edgeApi(edgeUrl, key);
		await eventually(async () => assert.equal((await edge.usage({ counters: [] })).status, 200), LIMIT_MS);
	}
	const balancer = await startBalancer(t, edgeUrls);
	const url = servers[0]?.url ?? '';
	const service = { url, token, edgeUrl: balancer.url, key };
	const { alice, bob, origins, host, relay } = await openSquidShopOf(t, service, { cuts: true });

	const get = { method: 'GET', target: `${origins.url}/bytes/100000` } as const;
	const tunnel = await openTunnel(t, relay.port, alice, origins.raw);
	await tunnel.exchange(50_000, 200_000);
	// Checks of many pairs and reports of bytes run at the same time, on connections to both processes.
	const pairs = [alice, [alice[0].toUpperCase(), `${alice[1]}_country-US`] as const];
	const some = await Promise.all(
		Array.from({ length: 20 }, (_, index) => exchange(relay.port, pairs[index % 2] ?? alice, get)),
	);
	for (const { status } of some) assert.equal(status, 200);
	for (const server of servers) {
		await usageOf(resellerApi(server.url, token)).assertCounted('alice', relay);
	}
	assert.ok(
		balancer.taken.every((connections) => connections > 0),
		`connections to each: ${balancer.taken}`,
	);

	// The reset goes to the other process.
	const other = resellerApi(servers[1]?.url ?? '', token);
	const renewed = ['alice', (await other.resetAuthKey({ username: 'alice' })).data.proxy_authkey as string] as const;
	const resetAtMs = performance.now();
	await eventually(async () => assert.equal((await exchange(host.port, alice, get)).status, 407), LIMIT_MS);
	t.diagnostic(`the old pair was refused after ${Math.round(performance.now() - resetAtMs)} ms`);
	await tunnel.ended;
	t.diagnostic(`its tunnel was cut after ${Math.round(performance.now() - resetAtMs)} ms`);
	await eventually(async () => assert.equal((await exchange(host.port, renewed, get)).status, 200), LIMIT_MS);
	assert.equal((await exchange(host.port, bob, get)).status, 200);
});
