import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeRoutes } from '@bursar/contract/edge';
import { callEdge } from '@bursar/testing/edge';
import { openStore } from '../../../src/engine.ts';
import type { Store } from '../../../src/store/store.ts';
import { startEdgeService } from '../../support/edge-service.ts';

/** A request of GOST's observer, as its `observer/plugin/http.go` writes it. */
function observation(inputBytes: number, outputBytes: number, client = 'alice', service = 'service-0') {
	return {
		kind: 'handler',
		service,
		client,
		type: 'stats',
		stats: { totalConns: 3, currentConns: 1, inputBytes, outputBytes, totalErrs: 0 },
	};
}

const totals = {
	kind: 'service',
	service: 'service-0',
	type: 'stats',
	stats: { totalConns: 3, currentConns: 1, inputBytes: 5_000, outputBytes: 5_000, totalErrs: 0 },
};
const status = { kind: 'service', service: 'service-0', type: 'status', status: { state: 'ready', msg: 'x' } };

type Started = Awaited<ReturnType<typeof startEdgeService>>;

async function bytesOf({ api }: Pick<Started, 'api'>, username = 'alice'): Promise<[up: number, down: number]> {
	const [record] = (await api.viewTxs({ username })).data;
	return [record?.bandwidth.up ?? 0, record?.bandwidth.down ?? 0];
}

test("GOST's auther learns the username of a good pair, and nothing of others", async (t) => {
	const { edge, alice } = await startEdgeService(t);
	const ask = async (username: string, password: string) => {
		const { status, body } = await edge.gostAuth({
			service: 'service-0',
			username,
			password,
			client: '192.0.2.1:50123',
			clientCn: 'x',
		});
		assert.equal(status, 200);
		return body;
	};
	assert.deepEqual(await ask('Alice', `${alice}_country-US`), { ok: true, id: 'alice' });
	assert.deepEqual(await ask('alice', 'wrong'), { ok: false, id: '' });
	assert.deepEqual(await ask('nobody', alice), { ok: false, id: '' });
	assert.deepEqual(await ask('', ''), { ok: false, id: '' });
	for (const body of [{}, { username: 'alice' }, { username: 'alice', password: 5 }, 'null', '[']) {
		assert.equal((await edge.gostAuth(body)).errorCode, 'invalid_request');
	}
});

test('GOST sends no token, but the credentials in the address of its plugin', async (t) => {
	const { edgeUrl, key, token, alice } = await startEdgeService(t);
	const ask = async (credentials: string, scheme = 'Basic') => {
		const authorization = `${scheme} ${Buffer.from(credentials).toString('base64')}`;
		const body = { service: 's', username: 'alice', password: alice };
		return (await callEdge(edgeUrl, edgeRoutes.gostAuth.path, { body, headers: { authorization } })).errorCode;
	};
	assert.equal(await ask(`edge:${key}`), null);
	assert.equal(await ask(`:${key}`, 'basic'), null);
	for (const wrong of [key, `${key}:`, `edge:${key}x`, `edge:x:${key}`, `edge:${token}`, `alice:${alice}`, '', ':']) {
		assert.equal(await ask(wrong), 'unauthorized');
	}
	for (const authorization of ['Basic', 'Basic ', `Basic ${key}`, 'Basic ====', `Basic ${'A'.repeat(10_000)}`]) {
		const answer = await callEdge(edgeUrl, edgeRoutes.gostAuth.path, { body: {}, headers: { authorization } });
		assert.equal(answer.errorCode, 'unauthorized');
	}
});

test('requests without credentials are no failed checks', async (t) => {
	const { edge, alice } = await startEdgeService(t);
	const client = '192.0.2.1:50000';
	for (let request = 0; request < 30; request++) {
		const { body } = await edge.gostAuth({ service: 's', username: '', password: '', client });
		assert.deepEqual(body, { ok: false, id: '' });
	}
	assert.equal((await edge.gostAuth({ service: 's', username: 'alice', password: alice, client })).body.ok, true);
});

test("failed checks of GOST's clients are throttled by their address, whatever their port", async (t) => {
	const { edge, alice } = await startEdgeService(t);
	for (const [address, other] of [
		['192.0.2.1', '192.0.2.2'],
		['[2001:db8::1]', '[2001:db8:1::1]'],
	]) {
		for (let port = 50_000; port < 50_030; port++) {
			await edge.gostAuth({ service: 's', username: `guess${port}`, password: 'x', client: `${address}:${port}` });
		}
		const fresh = { service: 's', username: 'acme', password: alice };
		await edge.gostAuth({ ...fresh, client: `${other}:1` });
		const { text } = await edge.check({ username: 'third', password: 'x', client: address?.replace(/[[\]]/g, '') });
		assert.match(text, /"reason":"throttled"/);
	}
});

test('observations count what a client sent and got; sent again, they count nothing; a value that falls is a restart', async (t) => {
	const started = await startEdgeService(t);
	const observe = async (...events: unknown[]) => {
		const { status, body } = await started.edge.gostObserve({ events });
		assert.deepEqual([status, body], [200, { ok: true }]);
	};
	await observe(observation(100, 1_000), totals, status);
	assert.deepEqual(await bytesOf(started), [100, 1_000]);
	await observe(observation(100, 1_000));
	assert.deepEqual(await bytesOf(started), [100, 1_000], 'sent again');
	await observe(observation(150, 1_500), observation(150, 1_700));
	assert.deepEqual(await bytesOf(started), [150, 1_700]);
	await observe(observation(10, 20));
	assert.deepEqual(await bytesOf(started), [160, 1_720], 'GOST was restarted');
	await observe(observation(10, 20));
	assert.deepEqual(await bytesOf(started), [160, 1_720]);
	await observe(observation(1, 1, 'alice', 'service-1'));
	assert.deepEqual(await bytesOf(started), [161, 1_721], 'each service has its own statistics');
});

test('events that cannot count are accepted, because GOST would send them for ever', async (t) => {
	const started = await startEdgeService(t);
	const events = [
		null,
		5,
		{},
		[],
		observation(1, 1, 'nobody'),
		observation(1, 1, ''),
		observation(1, 1, 'x'.repeat(100_000)),
		observation(1, 1, 'alice', '\n'),
		observation(-1, 1),
		observation(2 ** 64, 1),
		{ ...observation(1, 1), stats: null },
		{ ...observation(1, 1), stats: 5 },
		{ ...observation(1, 1), service: 5 },
		{ ...observation(1, 1), client: 5 },
		observation(3, 4),
	];
	assert.deepEqual((await started.edge.gostObserve({ events })).body, { ok: true });
	assert.deepEqual(await bytesOf(started), [3, 4]);
	for (const body of [{}, { events: 5 }, 'null', '{']) {
		assert.equal((await started.edge.gostObserve(body)).errorCode, 'invalid_request');
	}
});

test('an observation of many clients is larger than other requests may be, and is counted in steps', async (t) => {
	const started = await startEdgeService(t);
	const events = Array.from({ length: 20_000 }, (_, index) => observation(1, 2, 'alice', `service-${index}`));
	const size = JSON.stringify({ events }).length;
	assert.ok(size > 3_000_000, 'the test has become too small');
	assert.deepEqual((await started.edge.gostObserve({ events })).body, { ok: true });
	assert.deepEqual(await bytesOf(started), [20_000, 40_000]);
	const huge = await started.edge.gostObserve({ events: [...events, 'x'.repeat(2_000_000)] });
	assert.equal(huge.errorCode, 'payload_too_large');
});

test('observations of one edge are counted in the order in which they came, even if the store is slow', async (t) => {
	let release: (() => void) | undefined;
	let isHeld = false;
	const started = await startEdgeService(
		t,
		{},
		{
			async openStore(config) {
				const store: Store = await openStore(config);
				return {
					...store,
					batchesAtOnce: 2,
					async recordUsage(...batch) {
						if (isHeld) {
							isHeld = false;
							await new Promise<void>((resolve) => {
								release = resolve;
							});
						}
						return store.recordUsage(...batch);
					},
				};
			},
		},
	);
	isHeld = true;
	const values = [100, 200, 300, 400];
	const answers = [];
	for (const value of values) {
		answers.push(started.edge.gostObserve({ events: [observation(value, value)] }));
		// The next request must arrive after this one.
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	release?.();
	for (const answer of await Promise.all(answers)) assert.deepEqual(answer.body, { ok: true });
	assert.deepEqual(await bytesOf(started), [400, 400]);
});

test('GOST is told to send again if its observation was not counted', async (t) => {
	let isAway = true;
	const started = await startEdgeService(
		t,
		{},
		{
			async openStore(config) {
				const store: Store = await openStore(config);
				return {
					...store,
					recordUsage: async (...batch) =>
						isAway ? { kind: 'not_done', cause: new Error('away') } : store.recordUsage(...batch),
				};
			},
		},
	);
	const events = [observation(5, 6)];
	const { status, errorCode } = await started.edge.gostObserve({ events });
	assert.deepEqual([status, errorCode], [503, 'unavailable']);
	isAway = false;
	assert.equal((await started.edge.gostObserve({ events })).status, 200);
	assert.deepEqual(await bytesOf(started), [5, 6]);
});

test('a user who has all connections already that GOST observed is refused a further one', async (t) => {
	const { edge, alice, api } = await startEdgeService(t);
	const ask = async () => (await edge.gostAuth({ username: 'alice', password: alice, client: '192.0.2.1:5' })).body.ok;
	const observe = (currentConns: unknown) => {
		const { stats, ...event } = observation(1, 1);
		return edge.gostObserve({ events: [{ ...event, stats: { ...stats, currentConns } }, totals] });
	};
	await api.setLimits({ username: 'alice', connections: 2 });
	assert.equal(await ask(), true);
	await observe(1);
	assert.equal(await ask(), true);
	await observe(2);
	assert.equal(await ask(), false);
	for (const currentConns of ['5', null, -3, 1.5]) assert.equal((await observe(currentConns)).status, 200);
	await observe(1);
	assert.equal(await ask(), true);
	await api.setLimits({ username: 'alice', allowed_ips: ['192.0.2.2'] });
	assert.equal(await ask(), false, 'GOST tells the address of its client');
	await api.setLimits({ username: 'alice', allowed_ips: ['192.0.2.1'] });
	assert.equal(await ask(), true);
});
