// Runs first: it takes long.
import assert from 'node:assert/strict';
import { createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { runBursar, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { listen } from '@bursar/testing/listen';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type CountingRelay, startCountingRelay } from '../support/counting-relay.ts';
import { openRawClient } from '../support/raw-client.ts';
import { startProxyProcess, usedBy } from '../support/real-service.ts';
import { basic } from '../support/running-proxy.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const ROUNDS = isLong ? 20 : 3;
const LIMIT_MS = isLong ? 1_800_000 : 240_000;
const WAIT_MS = 120_000;
/** Sent to the proxy just before it is killed. */
const LAST_BYTES = 1_000;

/** A service in its own process with fixed ports, a sub-user, and an edge. */
async function setUp(test: TestContext) {
	const folder = temporaryFolder(test);
	const environment = { BURSAR_PORT: String(await freePort()), BURSAR_EDGE_PORT: String(await freePort()) };
	const start = (): Promise<ServerProcess> => startServer(test, folder, { environment });
	const json = async (...args: readonly string[]) => {
		const { code, stdout, stderr } = await runBursar(test, folder, [...args, '--json']);
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout);
	};
	const { token } = await json('reseller', 'create', 'acme', '--balance-cents', '1000');
	const { key } = await json('edge', 'create', 'frankfurt-1');
	const server = await start();
	const { data } = await resellerApi(server.url, token).create({ username: 'alice' });
	const edgeEnvironment = { BURSAR_EDGE_URL: server.edgeUrl as string, BURSAR_EDGE_KEY: key };
	return { server, start, token, edgeEnvironment, password: data.proxy_authkey as string };
}

async function startEcho(test: TestContext): Promise<number> {
	const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket));
	return (await listen(test, echo)).port;
}

/** A tunnel on which bytes go to and fro until `stop`. */
async function startTraffic(test: TestContext, relay: CountingRelay, origin: number, password: string) {
	const client = openRawClient(test, relay.port);
	client.write(`CONNECT 127.0.0.1:${origin} HTTP/1.1\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`);
	await client.until('\r\n\r\n');
	const timer = setInterval(() => client.write('x'.repeat(10_000)), 5);
	test.after(() => clearInterval(timer));
	/** Everything that was sent has come back. */
	async function pause(): Promise<void> {
		clearInterval(timer);
		client.write('THE END');
		await client.until('THE END');
	}
	return {
		closed: client.closed.finally(() => clearInterval(timer)),
		pause,
		send: (bytes: number) => client.write('y'.repeat(bytes)),
		async stop(): Promise<void> {
			await pause();
			client.socket.end();
			await client.closed;
		},
	};
}

test('kill -9 of the service in a loop: nothing is lost, nothing is counted twice', {
	timeout: LIMIT_MS,
}, async (t) => {
	const { server, start, token, edgeEnvironment, password } = await setUp(t);
	const proxy = await startProxyProcess(t, edgeEnvironment);
	const relay = await startCountingRelay(t, proxy.port);
	const traffic = await startTraffic(t, relay, await startEcho(t), password);
	let running = server;
	for (let round = 0; round < ROUNDS; round++) {
		// At another moment of the interval each time.
		await delay(1_000 + round * 370);
		await running.kill('SIGKILL');
		await delay(500);
		running = await start();
	}
	await traffic.stop();
	await eventually(async () => assert.deepEqual(await usedBy(running.url, token, 'alice'), relay.bytes), WAIT_MS);
	assert.ok(relay.bytes.up > 100_000);
	proxy.signal('SIGTERM');
	assert.equal((await proxy.ended).code, 0);
});

test('kill -9 of the proxy in a loop: only what was not reported is lost, and nothing is counted twice', {
	timeout: LIMIT_MS,
}, async (t) => {
	const { server, token, edgeEnvironment, password } = await setUp(t);
	const port = await freePort();
	const relay = await startCountingRelay(t, port);
	const origin = await startEcho(t);
	const used = () => usedBy(server.url, token, 'alice');
	for (let round = 0; round < ROUNDS; round++) {
		const proxy = await startProxyProcess(t, edgeEnvironment, { port });
		const [before, passed] = [await used(), { ...relay.bytes }];
		const traffic = await startTraffic(t, relay, origin, password);
		await eventually(async () => assert.ok((await used()).up > before.up), WAIT_MS);
		await traffic.pause();
		const reported = {
			up: before.up + relay.bytes.up - passed.up,
			down: before.down + relay.bytes.down - passed.down,
		};
		await eventually(async () => assert.deepEqual(await used(), reported), WAIT_MS);
		traffic.send(LAST_BYTES);
		// At another moment of the interval each time.
		await delay((round * 610) % 3_000);
		proxy.signal('SIGKILL');
		await Promise.all([proxy.ended, traffic.closed]);
		const { up, down } = await used();
		const last = { up: up - reported.up, down: down - reported.down };
		t.diagnostic(`of the last ${LAST_BYTES} bytes counted: ${last.up} up, ${last.down} down`);
		for (const bytes of [last.up, last.down]) assert.ok(bytes >= 0 && bytes <= LAST_BYTES, String(bytes));
	}
});

test('SIGTERM of the proxy loses nothing', { timeout: LIMIT_MS }, async (t) => {
	const { server, token, edgeEnvironment, password } = await setUp(t);
	const proxy = await startProxyProcess(t, edgeEnvironment);
	const relay = await startCountingRelay(t, proxy.port);
	const traffic = await startTraffic(t, relay, await startEcho(t), password);
	await delay(700);
	await traffic.stop();
	proxy.signal('SIGTERM');
	const { code, stdout } = await proxy.ended;
	assert.equal(code, 0);
	assert.deepEqual(await usedBy(server.url, token, 'alice'), relay.bytes);
	for (const secret of [password, edgeEnvironment.BURSAR_EDGE_KEY]) assert.ok(!stdout.includes(secret));
});
