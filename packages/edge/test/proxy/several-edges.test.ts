import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import { openRawClient } from '../support/raw-client.ts';
import { basic, startEcho, startFountain } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;
const MB = 1_000_000;
const EDGES = ['eu-1', 'eu-2', 'us-1'];
const PROCESSES = ['eu-1', 'eu-1', 'eu-1'];

/** A real service with a sub-user, and three proxies before it: of these edges, each with a process name of its own. */
async function setUp(t: TestContext, edges = EDGES) {
	const ends: (() => Promise<unknown>)[] = [];
	t.after(() => Promise.all(ends.map((end) => end())));
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	const password = (await api.create({ username: 'alice' })).data.proxy_authkey as string;
	const keyOf = new Map<string, string>();
	for (const name of new Set(edges)) keyOf.set(name, await service.openEdge(name));
	await service.readEdges();
	const proxies = await Promise.all(
		edges.map(async (name, index) => {
			const key = () => keyOf.get(name) as string;
			const client = createEdgeClient({ url: new URL(service.edgeUrl as string), key, process: `p${index}` });
			const proxy = await startProxy({
				client,
				logger: createLogger('silent'),
				host: '127.0.0.1',
				port: 0,
				destinations: { allowPrivate: true },
				maxConnections: 1_000,
				maxConnectionsPerClient: 1_000,
				maxConnectionsPerAccount: 1_000,
				logsConnections: true,
				idleMs: 60_000,
			});
			ends.push(async () => {
				await proxy.stop(0);
				client.close();
			});
			return { proxy, port: Number(new URL(proxy.url).port) };
		}),
	);
	const echo = await startEcho(t);

	/** Asks a proxy for a tunnel. */
	function connect(edge: number, port = echo) {
		const client = openRawClient(t, proxies[edge]?.port ?? 0);
		const pair = basic('alice', password);
		client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${pair}\r\n\r\n`);
		return client;
	}

	async function openTunnel(edge: number, port?: number) {
		const tunnel = connect(edge, port);
		assert.match(await tunnel.until('\r\n\r\n'), / 200 /);
		return tunnel;
	}

	/** The status and the reason of a refusal. */
	async function refusal(edge: number) {
		const text = await connect(edge).closed;
		return [/^HTTP\/1\.1 (\d+)/.exec(text)?.[1], /^X-Bursar-Reason: (.*)\r$/im.exec(text)?.[1]];
	}

	const openNow = () => proxies.reduce((sum, { proxy }) => sum + proxy.stats.connections, 0);
	return { service, api, proxies, connect, openTunnel, refusal, openNow };
}

async function cutWithin(t: TestContext, what: string, closed: readonly Promise<unknown>[]): Promise<void> {
	const sinceMs = performance.now();
	await Promise.all(closed);
	t.diagnostic(`${what}: cut after ${Math.round(performance.now() - sinceMs)} ms`);
}

for (const [what, edges] of [
	['all edges', EDGES],
	['all processes of an edge', PROCESSES],
] as const)
	test(`a limit of connections holds over ${what}, and the newest are cut`, async (t) => {
		const { api, connect, openTunnel, refusal, openNow } = await setUp(t, edges);
		await api.setLimits({ username: 'alice', connections: 4 });
		const first = await Promise.all([openTunnel(0), openTunnel(1)]);
		// Each edge believes that it may have four, unless it has heard of the others by now.
		await Promise.all([0, 0, 1, 1, 2, 2].map((edge) => connect(edge).until('\r\n\r\n')));
		const sinceMs = performance.now();
		await eventually(async () => assert.equal(openNow(), 4), LIMIT_MS);
		t.diagnostic(`the limit holds after ${Math.round(performance.now() - sinceMs)} ms`);
		const seen = new Set<number>();
		for (let look = 0; look < 30; look++) {
			await new Promise((resolve) => setTimeout(resolve, 100));
			seen.add(openNow());
		}
		assert.deepEqual(seen, new Set([4]), 'and no other one is cut');
		assert.ok(!first[0]?.socket.destroyed, 'the oldest stays');
		for (const edge of EDGES.keys())
			assert.deepEqual(await refusal(edge), ['429', 'connection_limit_reached'], String(EDGES[edge]));
		const { used } = (await api.viewDetails({ username: 'alice' })).data;
		assert.equal(used.connections, 4);
		const within = async (what: string, done: () => Promise<void>) => {
			const fromMs = performance.now();
			await eventually(done, LIMIT_MS);
			t.diagnostic(`${what} after ${Math.round(performance.now() - fromMs)} ms`);
		};
		first[0]?.socket.destroy();
		await within('room on another edge', async () => void (await openTunnel(2)));
		await api.setLimits({ username: 'alice', connections: 1 });
		await within('a lower limit holds', async () => assert.equal(openNow(), 1));
		await api.setLimits({ username: 'alice', connections: null });
		await within('no limit', async () => void (await Promise.all([0, 1, 2].map((edge) => openTunnel(edge)))));
	});

test('what a proxy had open is free for others when it has stopped', async (t) => {
	const { api, proxies, openTunnel, refusal } = await setUp(t, PROCESSES);
	await api.setLimits({ username: 'alice', connections: 1 });
	const openNow = async () => (await api.viewDetails({ username: 'alice' })).data.used.connections;
	await openTunnel(0);
	await eventually(async () => assert.equal(await openNow(), 1), LIMIT_MS);
	assert.deepEqual(await refusal(1), ['429', 'connection_limit_reached']);
	await proxies[0]?.proxy.stop(0);
	assert.equal(await openNow(), 0);
	await eventually(async () => void (await openTunnel(1)), LIMIT_MS);
});

test('a day limit that is reached cuts on all edges, and opens at the UTC boundary by itself', async (t) => {
	const midnightMs = Date.UTC(2026, 10, 27);
	t.mock.timers.enable({ apis: ['Date'], now: midnightMs - 60_000 });
	const { api, connect, openTunnel, refusal, proxies } = await setUp(t);
	const fountain = await startFountain(t);
	await api.setLimits({ username: 'alice', day_bytes: 20 * MB });
	const idle = await openTunnel(2);
	const tunnels = await Promise.all([openTunnel(0, fountain), openTunnel(1, fountain)]);
	await Promise.race(tunnels.map(({ closed }) => closed));
	await cutWithin(
		t,
		'after the first one, the others',
		[...tunnels, idle].map(({ closed }) => closed),
	);
	await Promise.all(proxies.map(({ proxy }) => proxy.reporter.flush()));
	for (const edge of EDGES.keys()) assert.deepEqual(await refusal(edge), ['429', 'limit_reached'], String(EDGES[edge]));
	const { used } = (await api.viewDetails({ username: 'alice' })).data;
	assert.ok(used.day_bytes >= 20 * MB, String(used.day_bytes));
	t.mock.timers.setTime(midnightMs - 1);
	await new Promise((resolve) => setTimeout(resolve, 1_500));
	assert.deepEqual(await refusal(1), ['429', 'limit_reached'], 'not before');
	t.mock.timers.setTime(midnightMs);
	const sinceMs = performance.now();
	await Promise.all(
		Array.from(EDGES.keys(), (edge) =>
			eventually(async () => {
				const client = connect(edge);
				assert.match(await Promise.race([client.until('\r\n\r\n'), client.closed]), / 200 /);
			}, LIMIT_MS),
		),
	);
	t.diagnostic(`open again after ${Math.round(performance.now() - sinceMs)} ms`);
});

test('an account that expires is cut on all edges at its second', async (t) => {
	const { api, openTunnel, refusal } = await setUp(t);
	const tunnels = await Promise.all(Array.from(EDGES.keys(), (edge) => openTunnel(edge)));
	const endsAtMs = Date.now() + 5_000;
	await api.setLimits({ username: 'alice', expires_at: new Date(endsAtMs).toISOString() });
	const early = tunnels.map(({ closed }) => closed.then(() => Date.now() - endsAtMs));
	for (const afterMs of await Promise.all(early)) {
		t.diagnostic(`cut ${afterMs} ms after it has expired`);
		assert.ok(afterMs >= -500, 'not before, but for the time that the answer took');
	}
	for (const edge of EDGES.keys()) assert.deepEqual(await refusal(edge), ['403', 'expired'], String(EDGES[edge]));
	await api.setLimits({ username: 'alice', expires_at: null });
	await eventually(async () => void (await openTunnel(1)), LIMIT_MS);
});

test('a suspended account is cut on all edges, and works again when it is resumed', async (t) => {
	const { api, openTunnel, refusal } = await setUp(t);
	const tunnels = await Promise.all(Array.from(EDGES.keys(), (edge) => openTunnel(edge)));
	await api.suspend({ username: 'alice' });
	await cutWithin(
		t,
		'suspended',
		tunnels.map(({ closed }) => closed),
	);
	for (const edge of EDGES.keys()) assert.deepEqual(await refusal(edge), ['403', 'suspended'], String(EDGES[edge]));
	await api.resume({ username: 'alice' });
	const sinceMs = performance.now();
	await eventually(async () => void (await openTunnel(0)), LIMIT_MS);
	t.diagnostic(`resumed: open again after ${Math.round(performance.now() - sinceMs)} ms`);
});

test('an address that is not allowed any more is cut and refused', async (t) => {
	const { api, openTunnel, refusal } = await setUp(t);
	await api.setLimits({ username: 'alice', allowed_ips: ['127.0.0.0/8'] });
	const tunnels = await Promise.all(Array.from(EDGES.keys(), (edge) => openTunnel(edge)));
	await api.setLimits({ username: 'alice', allowed_ips: ['192.0.2.0/24', '2001:db8::1'] });
	await cutWithin(
		t,
		'from another address',
		tunnels.map(({ closed }) => closed),
	);
	for (const edge of EDGES.keys())
		assert.deepEqual(await refusal(edge), ['403', 'address_not_allowed'], String(EDGES[edge]));
	await api.setLimits({ username: 'alice', allowed_ips: ['127.0.0.1'] });
	await eventually(async () => void (await openTunnel(2)), LIMIT_MS);
});
