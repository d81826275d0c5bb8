import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allEndpoints, CREATE_FEE_CENTS, endpoints } from '@bursar/contract';
import { createLogger } from '@bursar/terminal/logger';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import type { Outcome } from '../../../src/domain/command.ts';
import { openStore } from '../../../src/engine.ts';
import { startService } from '../../../src/service.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { bothEngines } from '../../support/both-engines.ts';
import { AMOUNT, answeredSeconds, expiring, startExpiryService } from '../../support/expiry-service.ts';
import { rawConnection } from '../../support/raw-socket.ts';

const ALL = Object.values(allEndpoints);
const MALFORMED = ['', '-1', '+5', '1795271340.5', '1e9', '0x5', '1795271340000', '5, 6', '5,5', 'soon', 'honoured'];

test('an expired create is refused as expired, whatever else is wrong with it', async (t) => {
	const service = await startExpiryService(t);
	const poor = await service.openReseller('poor', CREATE_FEE_CENTS - 1);
	const { path } = endpoints.createSubUser;
	const before = await service.books();
	for (const body of ['{', { username: '.' }, { username: 'alice' }, 'x'.repeat(20_000)]) {
		for (const token of [service.token, poor.token]) {
			assertFailure(await call(service.url, path, { token, body, ...expiring(1) }), 503, 'unavailable');
		}
	}
	assertFailure(await call(service.url, path, { body: '{', ...expiring(1) }), 401, 'unauthorized');
	assert.deepEqual(await service.books(), before);
});

test('a malformed expiry is 400 on every endpoint, in the order of the error table; a create then costs the fee', async (t) => {
	const service = await startExpiryService(t);
	const { url, token } = service;
	const poor = await service.openReseller('poor', CREATE_FEE_CENTS - 1);
	for (const value of MALFORMED) {
		for (const { method, path } of ALL) {
			const before = (await service.api.myInfo()).data.balance;
			const options = { method, ...(method === 'POST' && { body: AMOUNT }), ...expiring(value) };
			const answer = await call(url, path, { ...options, token });
			assertFailure(answer, 400, 'invalid_request', `${path} ${value}`);
			assert.equal(answer.headers.get('x-request-expires'), 'honoured');
			const fee = path === endpoints.createSubUser.path ? CREATE_FEE_CENTS : 0;
			assert.equal((await service.api.myInfo()).data.balance, before - fee);
			assertFailure(await call(url, path, options), 401, 'unauthorized');
		}
		assertFailure(await call(url, '/reseller/nothing', { token, ...expiring(value) }), 404, 'not_found');
	}
	const malformed = expiring('soon').headers;
	const { path } = endpoints.createSubUser;
	assertFailure(
		await call(url, path, { token: poor.token, body: AMOUNT, headers: malformed }),
		402,
		'insufficient_balance',
	);
	for (const { path } of ALL.filter(({ method }) => method === 'POST')) {
		const asText = { ...malformed, 'content-type': 'text/plain' };
		assertFailure(await call(url, path, { token, body: AMOUNT, headers: asText }), 415, 'unsupported_media_type');
		const large = 'x'.repeat(20_000);
		assertFailure(await call(url, path, { token, body: large, headers: malformed }), 413, 'payload_too_large');
		if (path === endpoints.createSubUser.path) continue;
		const nobody = { username: 'nobody', amount_usd_cents: 5 };
		assertFailure(await call(url, path, { token, body: nobody, headers: malformed }), 400, 'invalid_request');
	}
	assert.deepEqual((await service.api.viewAll()).data.length, 1, 'no request made a sub-user');
});

test('every answer repeats the expiry of its request, or says `honoured` if it has no valid one', async (t) => {
	const service = await startExpiryService(t);
	const { url, token } = service;
	const inAMinute = `0${(await answeredSeconds(service)) + 60}`;
	for (const [value, shown] of [
		[inAMinute, inAMinute],
		[undefined, 'honoured'],
		['tomorrow', 'honoured'],
	]) {
		const headers = value === undefined ? {} : { 'x-request-expires': value };
		for (const [path, options] of [
			['/nothing', {}],
			['/reseller/my_info', { method: 'DELETE' }],
			['/reseller/my_info', { token: 'unknown' }],
			['/reseller/my_info', { token }],
			['/reseller/sub_users/view_all', { token }],
			['/reseller/sub_users/view_single', { token, body: 'x'.repeat(20_000) }],
		] as const) {
			const answer = await call(url, path, { ...options, headers });
			assert.equal(answer.headers.get('x-request-expires'), shown, path);
		}
		for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/reference.js']) {
			const response = await fetch(url + path, { headers, redirect: 'manual' });
			await response.arrayBuffer();
			assert.equal(response.headers.get('x-request-expires'), shown, path);
		}
	}
});

test('answers to broken requests say `honoured` too', async (t) => {
	const { url } = await startExpiryService(t);
	for (const [bytes, status, method] of [
		['hello\r\n\r\n', 400, ''],
		[`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, ''],
		['GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400, ''],
		['GET / HTTP/1.1\r\n\r\n', 400, ''],
		['CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 405, 'CONNECT'],
		['HEAD /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'HEAD'],
	] as const) {
		const connection = await rawConnection(t, url, { methods: [method] });
		connection.write(bytes);
		const [answer] = await connection.answers(1);
		assert.equal(answer?.status, status);
		assert.equal(answer?.headers.get('x-request-expires'), 'honoured');
	}
});

async function readiness(opsUrl: string): Promise<string> {
	const response = await fetch(`${opsUrl}/readyz`);
	return `${response.status} ${await response.text()}`;
}

test('a change that has expired by an answered timestamp is not done, even if the clock is set back', async (t) => {
	const service = await startExpiryService(t);
	const { overrides, changes } = service;
	overrides.shiftMs = 20_000;
	const answeredAt = await answeredSeconds(service);
	overrides.shiftMs = 19_200;
	const before = await service.books();
	for (const change of Object.values(changes)) assertFailure(await change(expiring(answeredAt)), 503, 'unavailable');
	assert.deepEqual(await service.books(), before);
	assert.equal((await changes.give(expiring(answeredAt + 10))).status, 200);
});

test('after the clock was set back far, changes with an expiry are refused until it has caught up', async (t) => {
	const service = await startExpiryService(t);
	const { overrides, changes, opsUrl } = service;
	overrides.shiftMs = 40_000;
	const answeredAt = await answeredSeconds(service);
	assert.equal(await readiness(opsUrl), '200 ready\n');
	overrides.shiftMs = 0;
	const before = await service.books();
	for (const change of Object.values(changes)) {
		for (const atSeconds of [answeredAt, answeredAt + 60, 999_999_999_999]) {
			assertFailure(await change(expiring(atSeconds)), 503, 'unavailable');
		}
	}
	assert.deepEqual(await service.books(), before);
	assert.ok((await answeredSeconds(service)) < answeredAt - 20, 'answers tell the present time');
	assert.equal((await changes.give()).status, 200);
	assert.match(await readiness(opsUrl), /^200 ready, but the clock was set back/);
	overrides.shiftMs = 45_000;
	assert.equal((await changes.give(expiring(answeredAt + 60))).status, 200);
	assert.equal(await readiness(opsUrl), '200 ready\n');
});

test('a clock that was set back is logged once', async (t) => {
	const { config } = await startExpiryService(t);
	const lines: string[] = [];
	let shiftMs = 30_000;
	const store = await openStore(config);
	const service = await startService(config, createLogger('warn', { write: (line) => lines.push(line) }), {
		openStore: async () => ({ ...store, nowMs: () => store.nowMs() + shiftMs }),
	});
	t.after(() => service.stop());
	const api = resellerApi(service.url, 'brs_none');
	await api.myInfo();
	shiftMs = 0;
	for (let i = 0; i < 5; i++) await api.myInfo();
	await readiness(service.opsUrl);
	const [line, ...others] = lines.filter((text) => text.includes('clock'));
	assert.deepEqual(others, []);
	const { level, byMs, msg } = JSON.parse(line ?? '');
	assert.equal(level, 'warn');
	assert.ok(byMs > 20_000 && byMs <= 30_000, byMs);
	assert.match(msg, /X-Request-Expires/);
});

test('while a commit hangs, no read can miss its change; after the commit, every read shows it', async (t) => {
	const service = await startExpiryService(t);
	const { api, changes, overrides } = service;
	const hanging = Promise.withResolvers<void>();
	t.after(() => hanging.resolve());
	const store = await openStore(service.config);
	t.after(() => store.close());
	overrides.instead = {
		async runCommands(commands): Promise<BatchAnswer<Outcome>> {
			await hanging.promise;
			return store.runCommands(commands, store.nowMs());
		},
	};
	const atSeconds = (await answeredSeconds(service)) + 30;
	const given = changes.give(expiring(atSeconds));
	const reads = [
		api.myInfo,
		api.viewAll,
		() => api.viewSingle({ username: 'alice' }),
		() => api.viewTxs({ username: 'alice' }),
		() => api.viewChange({ change_id: 'change-number-01' }),
	];
	for (const read of reads) {
		await eventually(async () => assertFailure(await read(), 503, 'unavailable'), 30_000);
	}
	hanging.resolve();
	assert.equal((await given).data.balance, 105, 'the change began in time');
	for (const read of reads) assert.equal((await read()).status, 200);
	assert.equal((await api.viewSingle({ username: 'alice' })).data.balance, 105);
});

for (const engine of await bothEngines()) {
	describe(`on ${engine.name}`, () => {
		test('a change is done up to the last millisecond before its expiry, and not from then on', async (t) => {
			const service = await startExpiryService(t, await engine.environment());
			const atSeconds = (await answeredSeconds(service)) + 10;
			for (const [fixedMs, status] of [
				[atSeconds * 1000 - 1, 200],
				[atSeconds * 1000, 503],
				[atSeconds * 1000 + 1, 503],
			] as const) {
				service.overrides.fixedMs = fixedMs;
				assert.equal((await service.changes.give(expiring(atSeconds))).status, status);
			}
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 105);
		});

		test('a change that expires while it waits for a lock is refused; the others are done after the lock', async (t) => {
			// With this wait limit, a change is refused only because it has expired.
			const service = await startExpiryService(t, await engine.environment(), { maxWaitMs: 60_000 });
			const release = await engine.lockAccount(service.config, 'acme');
			const nowSeconds = await answeredSeconds(service);
			const patient = [service.changes.give(), service.changes.give(expiring(nowSeconds + 50))];
			const expired = await service.changes.give(expiring(nowSeconds + 2));
			await release();
			assertFailure(expired, 503, 'unavailable');
			for (const { status } of await Promise.all(patient)) assert.equal(status, 200);
			assert.equal((await service.api.viewSingle({ username: 'alice' })).data.balance, 110);
		});
	});
}
