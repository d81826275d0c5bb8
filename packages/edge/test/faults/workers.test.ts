import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { listen } from '@bursar/testing/listen';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { startCountingRelay } from '../support/counting-relay.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';
import { openRawClient, type RawClient } from '../support/raw-client.ts';
import { type ProxyProcess, startProxyProcess } from '../support/real-service.ts';
import { basic, KEY, startEcho } from '../support/running-proxy.ts';

const LIMIT_MS = 120_000;
const PAIR = basic('alice', KEY);
const ANSWER = 'from the origin';

/** A service, an origin, an echo, and a proxy of several workers with a relay before it that counts what passes. */
async function setUp(
	t: TestContext,
	{ workers = 3, args = [] as readonly string[], more = {} as Readonly<Record<string, string>> } = {},
) {
	const service = await startFakeService(t);
	service.keys.set('alice', KEY);
	const origin = await listen(
		t,
		createServer((_request, response) => response.end(ANSWER)),
	);
	const echo = await startEcho(t);
	const keyFile = join(temporaryFolder(t), 'key');
	writeFileSync(keyFile, EDGE_KEY, { mode: 0o600 });
	const spool = temporaryFolder(t);
	const environment = { BURSAR_EDGE_URL: service.url, BURSAR_EDGE_KEY_FILE: keyFile, ...more };
	const port = await freePort();
	const all = ['--workers', String(workers), '--spool', spool, ...args];
	const start = () => startProxyProcess(t, environment, { port, args: all });
	const proxy = await start();
	const relay = await startCountingRelay(t, port);

	/** One request on a connection of its own. Rejects unless the whole answer comes. */
	async function get(): Promise<void> {
		const client = openRawClient(t, relay.port);
		const target = `http://127.0.0.1:${origin.port}/`;
		client.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${PAIR}\r\nConnection: close\r\n\r\n`);
		const text = await client.closed;
		assert.match(text, /^HTTP\/1\.1 200 /);
		assert.ok(text.includes(ANSWER), text);
	}

	async function openTunnel(): Promise<RawClient> {
		const tunnel = openRawClient(t, relay.port);
		tunnel.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${PAIR}\r\n\r\n`);
		await tunnel.until('\r\n\r\n');
		return tunnel;
	}

	/** Every byte that passed the relay was reported, once. */
	const countsAll = () =>
		eventually(async () => assert.deepEqual(service.usedBy('alice'), { ...relay.bytes }), LIMIT_MS);
	return { service, proxy, start, relay, get, openTunnel, countsAll, spool, keyFile, port };
}

/** The ids of the processes of the workers that were ready, in the order in which they were. */
function readyWorkers(proxy: ProxyProcess): readonly number[] {
	return linesOf(proxy, 'a worker is ready').map(({ worker }) => Number(worker));
}

function linesOf(proxy: ProxyProcess, message: string): readonly Record<string, unknown>[] {
	const lines = proxy.stdout().split('\n').slice(0, -1);
	return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

const said = (proxy: ProxyProcess, message: string, times = 1) =>
	eventually(async () => assert.equal(linesOf(proxy, message).length, times, proxy.stdout()), LIMIT_MS);

async function metric(proxy: ProxyProcess, name: string): Promise<number> {
	const text = await (await fetch(`${proxy.opsUrl}/metrics`)).text();
	return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

async function echoes(tunnels: readonly RawClient[], text: string): Promise<void> {
	await Promise.all(
		tunnels.map((tunnel) => {
			tunnel.write(text);
			return tunnel.until(text);
		}),
	);
}

test('three workers count every byte once, also when one is killed in the middle, and then the primary process', async (t) => {
	const { service, proxy, relay, get, openTunnel, countsAll, spool } = await setUp(t);
	assert.equal(readyWorkers(proxy).length, 3);
	const [tunnels] = await Promise.all([
		Promise.all(Array.from({ length: 24 }, openTunnel)),
		...Array.from({ length: 24 }, get),
	]);
	await echoes(tunnels, 'a'.repeat(30_000));
	await countsAll();
	assert.equal(await metric(proxy, 'bursar_edge_proxy_tunnels_total'), 24);
	assert.equal(await metric(proxy, 'bursar_edge_proxy_requests_total'), 24);
	assert.equal(await metric(proxy, 'bursar_edge_proxy_connections'), 24);
	assert.equal(await metric(proxy, 'bursar_edge_workers'), 3);

	// One worker may have no tunnel.
	let open: readonly RawClient[] = tunnels;
	let killed = 0;
	for (const worker of readyWorkers(proxy)) {
		const reported = { ...relay.bytes };
		const last = String(killed).repeat(100);
		for (const tunnel of open) tunnel.write(last);
		process.kill(worker, 'SIGKILL');
		await said(proxy, 'a worker has ended, and gets a successor', ++killed);
		await said(proxy, 'a worker is ready', 3 + killed);
		const left = open.filter(({ socket }) => !socket.destroyed);
		await Promise.all(left.map((tunnel) => tunnel.until(last)));
		// Of the tunnels that stay, all that passed is counted; of the others, what the worker had reported.
		const lost = (open.length - left.length) * last.length;
		const most = { up: reported.up + open.length * last.length, down: reported.down + open.length * last.length };
		await eventually(async () => {
			const { up, down } = service.usedBy('alice');
			assert.ok(up >= most.up - lost && up <= most.up, `${up} of ${most.up}`);
			assert.ok(down >= most.down - lost && down <= most.down, `${down} of ${most.down}`);
		}, LIMIT_MS);
		const isDone = left.length < open.length;
		open = left;
		if (isDone) break;
	}
	assert.ok(open.length < 24, 'a worker with tunnels was killed');
	await eventually(async () => assert.equal((await fetch(`${proxy.opsUrl}/readyz`)).status, 200), LIMIT_MS);
	assert.equal(await metric(proxy, 'bursar_edge_worker_failures_total'), killed);

	const before = { used: service.usedBy('alice'), passed: { ...relay.bytes } };
	await Promise.all(Array.from({ length: 9 }, get));
	const since = (bytes: { up: number; down: number }, from: { up: number; down: number }) => ({
		up: bytes.up - from.up,
		down: bytes.down - from.down,
	});
	const countsSince = async () =>
		assert.deepEqual(since(service.usedBy('alice'), before.used), since(relay.bytes, before.passed));
	await eventually(countsSince, LIMIT_MS);

	await echoes(open, 'c'.repeat(5_000));
	proxy.signal('SIGKILL');
	await proxy.ended;
	await countsSince();
	assert.ok(readdirSync(spool).every((name) => name.startsWith('worker-') || name === 'in-use'));
});

test('a worker that nothing has caught an error of reports every byte, ends and gets a successor', async (t) => {
	const fault = join(temporaryFolder(t), 'fault.mjs');
	writeFileSync(fault, "process.on('SIGUSR2', () => { throw new Error('a fault of the test'); });");
	const { proxy, openTunnel, countsAll } = await setUp(t, {
		workers: 1,
		more: { NODE_OPTIONS: `--import ${fault}` },
	});
	const tunnel = await openTunnel();
	await echoes([tunnel], 'before'.repeat(1_000));
	process.kill(Number(readyWorkers(proxy)[0]), 'SIGUSR2');
	await said(proxy, 'nothing caught this error');
	await echoes([tunnel], 'after'.repeat(1_000));
	await tunnel.closed;
	await said(proxy, 'a worker has ended, and gets a successor');
	await said(proxy, 'a worker is ready', 2);
	await countsAll();
	await echoes([await openTunnel()], 'of the next one');
	await countsAll();
	assert.ok(!proxy.stdout().includes('a fault of the test'), 'a message may repeat what a client sent');
	assert.equal(await metric(proxy, 'bursar_edge_proxy_faults_total'), 1);
});

test('a reload under load cuts no tunnel and resets no request, and counts every byte', async (t) => {
	const { proxy, get, openTunnel, countsAll, spool } = await setUp(t);
	const tunnels = await Promise.all(Array.from({ length: 12 }, openTunnel));
	let requests = 0;
	let isLoaded = true;
	const load = Array.from({ length: 4 }, async () => {
		for (; isLoaded; requests++) await get();
	});
	for (let reload = 1; reload <= 2; reload++) {
		const before = requests;
		proxy.signal('SIGHUP');
		await said(proxy, 'reloaded', reload);
		await eventually(async () => assert.ok(requests > before + 20), LIMIT_MS);
		if (reload === 1) {
			await echoes(tunnels, 'old'.repeat(1_000));
			tunnels.push(...(await Promise.all(Array.from({ length: 6 }, openTunnel))));
		}
	}
	isLoaded = false;
	await Promise.all(load);
	t.diagnostic(`${requests} requests`);
	// Two reloads later, the first generation had its time.
	await Promise.all(tunnels.slice(0, 12).map(({ closed }) => closed));
	const kept = tunnels.slice(12);
	await echoes(kept, 'new'.repeat(1_000));
	assert.equal(await metric(proxy, 'bursar_edge_workers'), 3);
	for (const { socket } of kept) socket.end();
	await eventually(async () => assert.equal(await metric(proxy, 'bursar_edge_workers_draining'), 0), LIMIT_MS);
	await countsAll();
	assert.equal(await metric(proxy, 'bursar_edge_proxy_tunnels_total'), 18, 'what ended workers counted stays');
	assert.equal(readyWorkers(proxy).length, 9);
	proxy.signal('SIGTERM');
	assert.equal((await proxy.ended).code, 0);
	assert.deepEqual(readdirSync(spool), []);
});

test('new workers that cannot start leave the old ones, and what drains ends after its time', async (t) => {
	const { proxy, openTunnel, countsAll, keyFile } = await setUp(t, { workers: 1, args: ['--drain-seconds', '1'] });
	const tunnel = await openTunnel();
	writeFileSync(keyFile, 'no key');
	proxy.signal('SIGHUP');
	await said(proxy, 'the new workers cannot start, so the old ones go on');
	assert.match(proxy.stdout(), /"reason":"BURSAR_EDGE_KEY_FILE: the file holds no key/);
	await echoes([tunnel, await openTunnel()], 'still there');

	writeFileSync(keyFile, EDGE_KEY);
	proxy.signal('SIGHUP');
	await said(proxy, 'reloaded');
	await tunnel.closed;
	await eventually(async () => assert.equal(await metric(proxy, 'bursar_edge_workers_draining'), 0), LIMIT_MS);
	await echoes([await openTunnel()], 'of the new one');
	await countsAll();
	const [old] = readyWorkers(proxy);
	assert.throws(() => process.kill(Number(old), 0), 'its process is gone');
});

test('what waits in the spool survives a kill of all processes, and is counted by fewer workers, once', async (t) => {
	const { service, proxy, relay, openTunnel, countsAll, spool, start } = await setUp(t, { workers: 2 });
	const tunnels = await Promise.all(Array.from({ length: 8 }, openTunnel));
	await countsAll();
	await service.goAway();
	await echoes(tunnels, 'd'.repeat(1_000));
	await eventually(async () => assert.ok((await metric(proxy, 'bursar_edge_counters_lag_seconds')) > 3), LIMIT_MS);
	for (const worker of [...readyWorkers(proxy)]) process.kill(worker, 'SIGSTOP');
	proxy.signal('SIGKILL');
	for (const worker of readyWorkers(proxy)) process.kill(worker, 'SIGKILL');
	await proxy.ended;
	await service.comeBack();
	assert.notDeepEqual(service.usedBy('alice'), { ...relay.bytes });
	const next = await start();
	await countsAll();
	next.signal('SIGTERM');
	assert.equal((await next.ended).code, 0);
	assert.deepEqual(readdirSync(spool), []);
});

test('a limit of connections holds over all workers', async (t) => {
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	const password = (await api.create({ username: 'alice' })).data.proxy_authkey as string;
	await api.setLimits({ username: 'alice', connections: 4 });
	const environment = {
		BURSAR_EDGE_URL: service.edgeUrl as string,
		BURSAR_EDGE_KEY: await service.openEdge('eu-1'),
	};
	await service.readEdges();
	const proxy = await startProxyProcess(t, environment, { args: ['--workers', '3'] });
	const echo = await startEcho(t);
	const open = Array.from({ length: 12 }, () => {
		const socket = connect({ port: proxy.port, host: '127.0.0.1' }).on('error', () => {});
		t.after(() => socket.destroy());
		socket.write(
			`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`,
		);
		socket.resume();
		return socket;
	});
	const left = () => open.filter(({ closed }) => !closed).length;
	await eventually(async () => {
		assert.equal(left(), 4);
		assert.equal((await api.viewDetails({ username: 'alice' })).data.used.connections, 4);
	}, LIMIT_MS);
	await pause(1_000);
	assert.equal(left(), 4, 'and no other one is cut');
	proxy.signal('SIGTERM');
	await proxy.ended;
	assert.equal((await api.viewDetails({ username: 'alice' })).data.used.connections, 0);
});
