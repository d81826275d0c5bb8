import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import { headerFor } from '../support/proxy-headers.ts';
import { openRawClient, type RawClient } from '../support/raw-client.ts';
import { usedBy } from '../support/real-service.ts';
import { startEcho } from '../support/running-proxy.ts';

const LIMIT_MS = 60_000;

/** A real service whose reseller may sign in by address, and a proxy behind a load balancer. */
async function setUp(test: TestContext) {
	let stop = async (): Promise<void> => {};
	test.after(() => stop());
	const service = await startTestService(test, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	for (const username of ['alice', 'bruno']) await api.create({ username });
	const allow = (isAllowed: boolean) =>
		service.submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed });
	await allow(true);
	const key = await service.openEdge('frankfurt-1');
	await service.readEdges();
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
		loadBalancers: ['127.0.0.1'],
		logsConnections: true,
		idleMs: 60_000,
	});
	stop = async () => {
		await proxy.stop(0);
		client.close();
	};
	const echo = await startEcho(test);
	const request = `CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\n\r\n`;
	/** A client without a pair that comes from this address, and the status of the answer. */
	async function open(from: string) {
		const raw = openRawClient(test, Number(new URL(proxy.url).port));
		raw.write(Buffer.concat([headerFor(from), Buffer.from(request)]));
		return { raw, status: Number((await raw.until('\r\n\r\n')).split(' ')[1]) };
	}
	const opened = (from: string) =>
		eventually(async () => {
			const { raw, status } = await open(from);
			assert.equal(status, 200);
			return raw;
		}, LIMIT_MS);
	const set = async (username: string, ...sign_in_ips: readonly string[]) => {
		assert.equal((await api.setSignInIps({ username, sign_in_ips })).status, 200);
	};
	return { service, proxy, api, token, request, allow, set, open, opened };
}

test('an address signs in until it is removed, moved, suspended, forbidden or its sub-user deleted: open connections are cut', async (t) => {
	const { api, set, allow, open, opened } = await setUp(t);
	const from = '198.51.100.7';
	assert.equal((await open(from)).status, 407);
	const endings: Readonly<Record<string, () => Promise<unknown>>> = {
		'is removed': () => set('alice'),
		'is suspended': () => api.suspend({ username: 'alice' }),
		'is forbidden': () => allow(false),
		'is not allowed': () => api.setLimits({ username: 'alice', allowed_ips: ['192.0.2.1'] }),
		'has moved': async () => {
			await set('alice');
			await set('bruno', from);
		},
		'is deleted': () => api.delete({ username: 'alice' }),
	};
	for (const [what, end] of Object.entries(endings)) {
		await set('bruno');
		await set('alice', from, '2001:db8:7::/64');
		const tunnels = [await opened(from), await opened('2001:db8:7::9')];
		const [, beganMs] = [await end(), performance.now()];
		await Promise.all(tunnels.map(({ closed }) => closed));
		t.diagnostic(`${what}: cut after ${Math.round(performance.now() - beganMs)} ms`);
		if (what === 'has moved') await opened(from);
		else assert.notEqual((await open(from)).status, 200, what);
		await api.resume({ username: 'alice' });
		await api.setLimits({ username: 'alice', allowed_ips: null });
		await allow(true);
	}
});

test('what passes is counted to the account of the address, to the byte, also after it has moved', async (t) => {
	const { service, token, request, set, opened, proxy } = await setUp(t);
	const from = '2001:db8::7';
	const expected: Record<string, { up: number; down: number }> = {};
	let previous: RawClient | undefined;
	for (const username of ['alice', 'bruno']) {
		await set('alice');
		await set(username, from);
		// Once those of the previous account are cut, the next connection is this one's.
		await previous?.closed;
		const raw = await opened(from);
		raw.write('x'.repeat(100_000));
		raw.write('THE END');
		const { length: down } = await raw.until('THE END');
		expected[username] = { up: request.length + 100_007, down };
		previous = raw;
	}
	await eventually(async () => {
		await proxy.reporter.flush();
		const used = { alice: await usedBy(service.url, token, 'alice'), bruno: await usedBy(service.url, token, 'bruno') };
		assert.deepEqual(used, expected);
	}, LIMIT_MS);
});
