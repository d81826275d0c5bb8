import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import { startCountingRelay } from '../support/counting-relay.ts';
import { answerTo, openRawClient } from '../support/raw-client.ts';
import { usedBy } from '../support/real-service.ts';
import { basic, startEcho, startFountain, startOrigin } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

/** A real service with a sub-user, a proxy before it, and a relay before that. */
async function setUp(test: TestContext) {
	// Before the hook that ends the service: a proxy that stops tries for seconds to report to a service that is away.
	let stop = async (): Promise<void> => {};
	test.after(() => stop());
	const service = await startTestService(test, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	const { data } = await api.create({ username: 'alice' });
	const key = await service.openEdge('frankfurt-1');
	const client = createEdgeClient({ url: new URL(service.edgeUrl as string), key: () => key });
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
	stop = async () => {
		await proxy.stop(0);
		client.close();
	};
	// The service learns about a new edge within a second.
	await eventually(async () => assert.equal(proxy.unreadyBecause(), undefined), LIMIT_MS);
	const relay = await startCountingRelay(test, Number(new URL(proxy.url).port));
	return { service, proxy, relay, api, token, keyOfAlice: data.proxy_authkey as string };
}

const get = (port: number, password: string, username = 'alice') =>
	`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(username, password)}\r\n\r\n`;
const connect = (port: number, password: string) =>
	`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: ${basic('alice', password)}\r\n\r\n`;

/** A tunnel to a server that sends back what it receives. */
async function openTunnelToEcho(t: TestContext, proxyPort: number, password: string) {
	const echo = await startEcho(t);
	const tunnel = openRawClient(t, proxyPort);
	tunnel.write(connect(echo, password));
	await tunnel.until('\r\n\r\n');
	return { tunnel, echo };
}

describe('a proxy at a real service', { concurrency: true }, () => {
	test('view_txs shows the bytes that passed, to the byte', async (t) => {
		const { service, relay, token, keyOfAlice } = await setUp(t);
		const port = await startOrigin(t);
		const plain = openRawClient(t, relay.port);
		plain.write(get(port, `${keyOfAlice}`));
		await plain.until('from the origin');
		const { tunnel } = await openTunnelToEcho(t, relay.port, keyOfAlice);
		tunnel.write(Buffer.alloc(1_000_000, 'x'));
		tunnel.write('THE END');
		await tunnel.until('THE END');
		await eventually(async () => assert.deepEqual(await usedBy(service.url, token, 'alice'), relay.bytes), LIMIT_MS);
	});

	test('a reset through the API cuts the open tunnel, and the old key is refused', async (t) => {
		const { relay, api, proxy, keyOfAlice } = await setUp(t);
		const { tunnel, echo } = await openTunnelToEcho(t, relay.port, keyOfAlice);
		const { data } = await api.resetAuthKey({ username: 'alice' });
		const resetAtMs = performance.now();
		await tunnel.closed;
		t.diagnostic(`cut ${Math.round(performance.now() - resetAtMs)} ms after the reset`);
		assert.equal(proxy.stats.cut, 1);
		for (const [key, status] of [
			[keyOfAlice, '407'],
			[data.proxy_authkey, '200'],
		]) {
			const again = openRawClient(t, relay.port);
			again.write(connect(echo, key));
			assert.equal((await again.until('\r\n\r\n')).split(' ')[1], status);
		}
	});

	test('a balance that has run out cuts the tunnel, and a give opens again', async (t) => {
		const { service, relay, proxy, api, token, keyOfAlice } = await setUp(t);
		const [fountain, origin] = [await startFountain(t), await startOrigin(t)];
		await api.give({ username: 'alice', amount_usd_cents: 2 });
		await service.setPrice('acme', 1_000_000);
		await answerTo(t, relay.port, connect(fountain, keyOfAlice));
		assert.equal(proxy.stats.cut, 1);
		const ask = async () => {
			const client = openRawClient(t, relay.port);
			client.write(get(origin, keyOfAlice));
			const text = await Promise.race([client.until('from the origin'), client.closed]);
			client.socket.destroy();
			return text;
		};
		assert.match(await ask(), /^HTTP\/1\.1 402 /);
		await proxy.reporter.flush();
		const { up, down } = await usedBy(service.url, token, 'alice');
		t.diagnostic(`passed ${up + down} bytes of 20000000`);
		assert.ok(up + down >= 20_000_000);
		assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 0);
		await api.give({ username: 'alice', amount_usd_cents: 2 });
		const givenAtMs = performance.now();
		await eventually(async () => assert.match(await ask(), / 200 /), LIMIT_MS);
		t.diagnostic(`open again ${Math.round(performance.now() - givenAtMs)} ms after the give`);
	});

	test('no account pays for wrong passwords, and they are throttled without harm to a good pair', async (t) => {
		const { service, relay, proxy, token, keyOfAlice } = await setUp(t);
		const port = await startOrigin(t);
		const answers: string[] = [];
		for (let guess = 0; guess < 60; guess++) {
			answers.push(
				(await answerTo(t, relay.port, get(port, `guess${guess}`, guess % 2 === 0 ? 'alice' : 'nobody'))).split(
					' ',
				)[1] ?? '',
			);
		}
		assert.deepEqual([...new Set(answers)].sort(), ['407', '429']);
		await proxy.reporter.flush();
		assert.deepEqual(await usedBy(service.url, token, 'alice'), { up: 0, down: 0 });
		// A pair that was not checked before waits until the throttle lets its address go on.
		await eventually(async () => {
			const client = openRawClient(t, relay.port);
			client.write(get(port, keyOfAlice));
			await client.until('from the origin');
		}, LIMIT_MS);
	});

	test('a revoked edge serves no client, and its open tunnels are cut', async (t) => {
		const { service, relay, proxy, keyOfAlice } = await setUp(t);
		const { tunnel, echo } = await openTunnelToEcho(t, relay.port, keyOfAlice);
		await service.revokeEdge('frankfurt-1');
		await tunnel.closed;
		assert.match(await answerTo(t, relay.port, connect(echo, keyOfAlice)), /^HTTP\/1\.1 503 /);
		await eventually(async () => assert.match(proxy.unreadyBecause() ?? '', /unauthorized/), LIMIT_MS);
	});
});
