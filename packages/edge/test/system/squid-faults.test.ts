import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openEdge, openReseller } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { startCountingRelay } from '../support/counting-relay.ts';
import { type Origins, startOrigins } from '../support/origins.ts';
import { openTunnel } from '../support/proxy-client.ts';
import { exchange, type Target } from '../support/raw-exchange.ts';
import { type SquidHost, startSquidHost } from '../support/squid-host.ts';
import { usageOf } from '../support/squid-shop.ts';

const SENDERS = 6;
const LIMIT_MS = 60_000;

test('kill -9 of squid-usage, the helpers and the server in a loop loses no byte and counts none twice', async (t) => {
	const random = randomFrom(printedSeed(t));
	const shop = await openShop(t);
	const traffic = startTraffic(t, shop, random);
	const tunnel = await openTunnel(t, shop.relay.port, shop.alice, shop.origins.raw);
	for (let round = 0; round < 12; round++) {
		await tunnel.exchange(random.below(10_000), random.below(10_000));
		const victim = round % 3;
		if (victim === 0) {
			await shop.host.usage.kill('SIGKILL');
			await setTimeout(random.below(500));
			await shop.host.usage.start();
		} else if (victim === 1) {
			// Squid 5.7 dies itself if a request arrives at the moment in which it learns that its helper is gone.
			await traffic.whilePaused(() => killHelpers(shop.host));
		} else {
			await shop.restartServer(random.below(500));
		}
		await setTimeout(random.below(1_500));
	}
	await shop.assertAllCounted(await traffic.stop());
	tunnel.socket.destroy();
	await shop.host.usage.kill('SIGKILL');
	await shop.host.usage.start();
	await shop.assertAllCounted(await traffic.stop());
	assert.equal(shop.host.squid.process().child.exitCode, null);
});

test('while the service is away known pairs work, and when it is back everything is counted', async (t) => {
	const random = randomFrom(printedSeed(t));
	const shop = await openShop(t);
	const target = { method: 'GET', target: `${shop.origins.url}/bytes/10` } as const;
	const first = await exchange(shop.host.port, shop.alice, target);
	assert.equal(first.status, 200);
	await shop.server().kill('SIGKILL');
	const traffic = startTraffic(t, shop, random);
	await setTimeout(6_000);
	const unknown = await exchange(shop.host.port, ['bob.42', 'x'.repeat(16)], target);
	assert.equal(unknown.status, 407);
	await shop.host.usage.kill('SIGKILL');
	await shop.host.usage.start();
	await setTimeout(2_000);
	const total = await traffic.stop();
	assert.ok(total.count > 20, `${total.count}`);
	assert.equal(total.denied, 0);
	await shop.startServer();
	await shop.assertAllCounted({ ...total, up: total.up + first.up, down: total.down + first.down });
	assert.equal((await exchange(shop.host.port, shop.bob, target)).status, 200);
});

test('rotation of the log under traffic, also while squid-usage is down, loses no byte', async (t) => {
	const random = randomFrom(printedSeed(t));
	const shop = await openShop(t);
	const traffic = startTraffic(t, shop, random);
	for (let round = 1; round <= 6; round++) {
		if (round % 3 === 0) await shop.host.usage.kill('SIGKILL');
		renameSync(shop.host.log, `${shop.host.log}.${round}`);
		// Squid writes on in the renamed file until it is told.
		await setTimeout(random.below(1_000));
		shop.host.squid.process().signal('SIGUSR1');
		await eventually(async () => assert.ok(existsSync(shop.host.log)), LIMIT_MS);
		await setTimeout(random.below(1_000));
		if (round % 3 === 0) await shop.host.usage.start();
	}
	await shop.assertAllCounted(await traffic.stop());
});

test('kill -9 of Squid loses at most what open requests transferred last, and never counts too much', async (t) => {
	const random = randomFrom(printedSeed(t));
	const shop = await openShop(t);
	const traffic = startTraffic(t, shop, random);
	const tunnel = await openTunnel(t, shop.relay.port, shop.alice, shop.origins.raw);
	await tunnel.exchange(100_000, 300_000);
	await setTimeout(3_000);
	const finished = await traffic.stop();
	await shop.assertAllCounted(finished);
	const counted = await shop.usage('alice');
	await tunnel.exchange(5_000, 7_000);
	await shop.host.squid.kill('SIGKILL');
	await tunnel.ended;
	const all = { up: finished.up + shop.relay.bytes.up, down: finished.down + shop.relay.bytes.down };
	await setTimeout(4_000);
	const after = await shop.usage('alice');
	for (const direction of ['up', 'down'] as const) {
		assert.ok(after[direction] >= counted[direction], direction);
		assert.ok(after[direction] <= all[direction], direction);
	}
	const lost = { up: all.up - after.up, down: all.down - after.down };
	t.diagnostic(`lost: ${JSON.stringify(lost)}`);

	await shop.host.squid.start();
	const later = await startTraffic(t, shop, random, 2_000).ended;
	await eventually(
		async () => assert.deepEqual(await shop.usage('alice'), { up: after.up + later.up, down: after.down + later.down }),
		LIMIT_MS,
	);
});

async function killHelpers(host: SquidHost): Promise<void> {
	const ended = () => host.cacheLog().split(/#Hlpr\d+ exited/).length;
	const before = ended();
	const helpers = host.helpers();
	assert.ok(helpers.length > 0);
	for (const helper of helpers) process.kill(helper, 'SIGKILL');
	await eventually(async () => assert.equal(ended(), before + helpers.length), LIMIT_MS);
}

interface Total {
	readonly up: number;
	readonly down: number;
	readonly count: number;
	/** Refused requests, which are not in the total. */
	readonly denied: number;
}

interface Shop {
	readonly alice: readonly [string, string];
	readonly origins: Origins;
	readonly host: SquidHost;
}

/** Requests of `alice` of all kinds, each on a connection of its own, until it is stopped. */
function startTraffic(t: TestContext, { alice, origins, host }: Shop, random: Random, forMs?: number) {
	const total = { up: 0, down: 0, count: 0, denied: 0 };
	const endsAtMs = forMs === undefined ? undefined : performance.now() + forMs;
	let isStopped = false;
	let underWay = 0;
	let mayBegin = Promise.resolve();
	t.after(() => {
		isStopped = true;
	});

	function target(): Target {
		const kind = random.below(3);
		if (kind === 0) return { method: 'GET', target: `${origins.url}/bytes/${random.below(50_000)}` };
		if (kind === 1) return { method: 'PUT', target: `${origins.url}/`, bytesUp: random.below(50_000) };
		return {
			method: 'CONNECT',
			target: origins.raw,
			bytesUp: random.below(20_000),
			bytesDown: random.below(20_000),
		};
	}
	const senders = Array.from({ length: SENDERS }, async () => {
		while (!isStopped && (endsAtMs === undefined || performance.now() < endsAtMs)) {
			await mayBegin;
			underWay++;
			const { status, up, down, text } = await exchange(host.port, alice, target());
			underWay--;
			if (status === 407) {
				total.denied++;
			} else if (status !== 200) {
				assert.fail(`answered with '${text.slice(0, 200)}'. Squid's log ends with:\n${host.cacheLog().slice(-3_000)}`);
			} else {
				total.up += up;
				total.down += down;
				total.count++;
			}
			await setTimeout(random.below(80));
		}
	});
	const ended = Promise.all(senders).then((): Total => total);
	return {
		ended,
		/** Runs it while no request is under way. */
		async whilePaused(act: () => Promise<void>): Promise<void> {
			const paused = Promise.withResolvers<void>();
			mayBegin = paused.promise;
			try {
				await eventually(async () => assert.equal(underWay, 0), LIMIT_MS);
				await act();
			} finally {
				paused.resolve();
			}
		},
		stop(): Promise<Total> {
			isStopped = true;
			return ended;
		},
	};
}

/** A server in a process of its own, a reseller with `alice` and `bob.42`, and a proxy host. */
async function openShop(t: TestContext) {
	const dataDir = temporaryFolder(t);
	const edgePort = String(await freePort());
	const port = String(await freePort());
	const environment = { BURSAR_EDGE_PORT: edgePort, BURSAR_PORT: port, BURSAR_LOG_LEVEL: 'info' };
	const start = () => startServer(t, dataDir, { environment });
	let server: ServerProcess = await start();
	const config = readConfig({ BURSAR_DATA_DIR: dataDir });
	const { token } = await openReseller(config, 'acme', 100_000);
	const key = await openEdge(config, 'squid-1');
	const api = resellerApi(server.url, token);
	const pairOf = async (username: string) =>
		[username, (await api.create({ username })).data.proxy_authkey as string] as const;
	const [alice, bob] = [await pairOf('alice'), await pairOf('bob.42')];
	const origins = await startOrigins(t);
	const host = await startSquidHost(t, { edgeUrl: `http://127.0.0.1:${edgePort}`, key });
	const relay = await startCountingRelay(t, host.port);
	// The service knows a new edge after about a second.
	await eventually(async () => {
		const target = { method: 'GET', target: `${origins.url}/bytes/1` } as const;
		assert.equal((await exchange(host.port, bob, target)).status, 200);
	}, LIMIT_MS);
	const { usage } = usageOf(api);
	return {
		alice,
		bob,
		origins,
		host,
		relay,
		usage,
		server: () => server,
		async startServer() {
			server = await start();
		},
		async restartServer(pauseMs: number) {
			await server.kill('SIGKILL');
			await setTimeout(pauseMs);
			server = await start();
		},
		/** Waits until the usage of `alice` is what was exchanged, with the relay's bytes, to the byte. */
		async assertAllCounted({ up, down, count, denied }: Total) {
			t.diagnostic(`${count} requests, and ${denied} refused ones`);
			const expected = { up: up + relay.bytes.up, down: down + relay.bytes.down };
			await eventually(async () => assert.deepEqual(await usage('alice'), expected), LIMIT_MS);
		},
	};
}
