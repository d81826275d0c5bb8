import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { listen } from '@bursar/testing/listen';
import { createEdgeClient } from '../../src/agent/edge-client.ts';
import { EDGE_KEY, startFakeService } from '../support/fake-service.ts';

const READING = { counter: 'c', username: 'alice', up: 1, down: 2, at: '2026-01-31T00:00:00.000Z' };

async function clientOf(test: TestContext, answer: RequestListener, path = '') {
	const { port } = await listen(test, createServer(answer));
	const url = new URL(`http://127.0.0.1:${port}${path}`);
	const client = createEdgeClient({ url, key: () => EDGE_KEY, checkTimeoutMs: 5_000, reportTimeoutMs: 5_000 });
	test.after(() => client.close());
	return client;
}

test('requests carry the key, and go below the path of the base address', async (t) => {
	const seen: (string | undefined)[] = [];
	const client = await clientOf(
		t,
		(request, response) => {
			seen.push(request.method, request.url, request.headers.authorization, request.headers['content-type']);
			response.end('{"counted":1,"repeated":0,"refused":[]}');
		},
		'/below/',
	);
	assert.equal((await client.report([READING])).ok, true);
	assert.deepEqual(seen, ['POST', '/below/edge/v1/usage', `Bearer ${EDGE_KEY}`, 'application/json']);
});

test('an answer of another form is no answer, and no failure shows the key', async (t) => {
	const answers = [
		'',
		'{}',
		'[]',
		'null',
		'{"counted":2,"repeated":0,"refused":[]}',
		'{"counted":0,"repeated":0,"refused":[{"place":1,"reason":"x"}]}',
		'{"counted":0,"repeated":0,"refused":[{"place":-1,"reason":"x"}]}',
		'{"checks":[]}',
		'{"checks":[{"ok":true,"recheck_ms":2000}]}',
		'{"checks":[{"ok":false,"reason":null,"recheck_ms":2000}]}',
		'{"checks":[{"ok":true,"username":"alice","key_id":"x","recheck_ms":2000,"left_bytes":"5"}]}',
		'{"checks":[{"ok":false,"reason":"wrong_pair"}]}',
		'x'.repeat(2_000_000),
	];
	for (const answer of answers) {
		const client = await clientOf(t, (_request, response) => response.end(answer));
		for (const result of [await client.report([READING]), await client.check([{ username: 'alice', password: 'x' }])]) {
			assert.equal(result.ok, false, answer.slice(0, 100));
			assert.ok(!JSON.stringify(result).includes(EDGE_KEY));
		}
	}
});

test('a service that is older says nothing of limits, and a newer one may have other reasons to refuse', async (t) => {
	const good = { ok: true, username: 'alice', key_id: 'x', reason: null, recheck_ms: 2_000 };
	const refused = { ok: false, username: null, key_id: null, reason: 'other', recheck_ms: 2_000 };
	const nothing = {
		...{ reseller: null, left_bytes: null, left_reason: null, max_connections: null, max_bytes_per_second: null },
		...{ ends_in_ms: null, allowed_ips: null },
	};
	const client = await clientOf(t, (_request, response) => response.end(JSON.stringify({ checks: [good, refused] })));
	const pair = { username: 'alice', password: 'x' };
	assert.deepEqual(await client.check([pair, pair]), {
		ok: true,
		value: {
			answers: [
				{ ...good, ...nothing },
				{ ...refused, ...nothing, reason: 'wrong_pair' },
			],
			signsInByAddress: undefined,
		},
	});
});

test('a speed at which nothing would pass is no answer', async (t) => {
	for (const max_bytes_per_second of [0, -1, 0.5, '8000', {}]) {
		const good = { ok: true, username: 'alice', key_id: 'x', reason: null, recheck_ms: 2_000, max_bytes_per_second };
		const client = await clientOf(t, (_request, response) => response.end(JSON.stringify({ checks: [good] })));
		assert.equal((await client.check([{ username: 'alice', password: 'x' }])).ok, false);
	}
});

test('only the header of the service names a failure: a proxy in between may answer 401 too', async (t) => {
	const ownHeader = { 'x-error-code': 'unauthorized' };
	for (const [headers, code] of [
		[ownHeader, 'unauthorized'],
		[{}, 'bad_answer'],
		[{ 'x-error-code': 'invented' }, 'bad_answer'],
	] as const) {
		const client = await clientOf(t, (_request, response) => response.writeHead(401, headers).end());
		const result = await client.report([]);
		assert.equal(result.ok ? 'ok' : result.code, code);
	}
});

test('an answer that changes the protocol is no answer, and is not waited for', async (t) => {
	const client = await clientOf(t, ({ socket }) => {
		socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
	});
	const result = await client.report([]);
	assert.equal(result.ok ? 'ok' : result.code, 'bad_answer');
});

test('a connection that the service has closed while it was idle is replaced', async (t) => {
	const service = await startFakeService(t);
	const client = createEdgeClient({ url: new URL(service.url), key: () => EDGE_KEY });
	t.after(() => client.close());
	for (let times = 0; times < 20; times++) {
		assert.equal((await client.report([READING])).ok, true);
		await service.goAway();
		await service.comeBack();
	}
});

test('a thousand requests at the same time are all answered, over at most 8 connections', async (t) => {
	let open = 0;
	let most = 0;
	const server = createServer((_request, response) => response.end('{"counted":0,"repeated":0,"refused":[]}'));
	server.on('connection', (socket) => {
		most = Math.max(most, ++open);
		socket.on('close', () => open--);
	});
	const { port } = await listen(t, server);
	const client = createEdgeClient({
		url: new URL(`http://127.0.0.1:${port}`),
		key: () => EDGE_KEY,
		reportTimeoutMs: 60_000,
	});
	t.after(() => client.close());
	const results = await Promise.all(Array.from({ length: 1_000 }, () => client.report([])));
	assert.ok(results.every(({ ok }) => ok));
	assert.ok(most <= 8);
});
