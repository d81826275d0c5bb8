import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SetLimitsRequest, SubUserDetails } from '@bursar/contract';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startTestService, withBank } from '@bursar/testing/service';
import { Compile } from 'typebox/compile';

const NO_LIMITS = {
	day_bytes: null,
	month_bytes: null,
	total_bytes: null,
	connections: null,
	allowed_ips: null,
	expires_at: null,
};
const username = 'alice';

/** A service with a reseller that has the sub-user alice, with 1.00 USD. */
async function start(t: TestContext) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username });
	await api.give({ username, amount_usd_cents: 100 });
	const other = resellerApi(service.url, (await service.openReseller('other', 1000)).token);
	return { ...service, api, other };
}

test('a sub-user is suspended and resumed, as often as one likes; its balance stays', async (t) => {
	const { api } = await start(t);
	for (let time = 0; time < 2; time++) {
		assert.deepEqual((await api.suspend({ username: 'Alice' })).data, { username, state: 'suspended' });
	}
	const { data } = await api.viewSingle({ username });
	assert.deepEqual(Object.keys(data), ['username', 'balance', 'proxy_authkey', 'date_created']);
	assert.equal(data.balance, 100);
	assert.equal((await api.give({ username, amount_usd_cents: 1 })).data.balance, 101);
	for (let time = 0; time < 2; time++) {
		assert.deepEqual((await api.resume({ username })).data, { username, state: 'active' });
	}
});

test('limits are set one by one, removed with null, and kept if absent', async (t) => {
	const { api } = await start(t);
	const set = async (limits: object) => (await api.setLimits({ username, ...limits })).data;
	const limits = { ...NO_LIMITS, day_bytes: 2_000_000_000, connections: 20 };
	assert.deepEqual(await set({ day_bytes: 2_000_000_000, connections: 20 }), { username, limits });
	const allowed_ips = ['192.0.2.7/24', '2001:DB8::7', '192.0.2.0/24'];
	const expires_at = '2031-01-01T01:00:00.5+02:00';
	const whole = { ...limits, connections: null, allowed_ips: ['192.0.2.0/24', '2001:db8::7'] };
	assert.deepEqual(await set({ connections: null, allowed_ips, expires_at }), {
		username,
		limits: { ...whole, expires_at: '2030-12-31T23:00:00.500Z' },
	});
	const all = Object.fromEntries(Object.keys(NO_LIMITS).map((name) => [name, null]));
	assert.deepEqual(await set(all), { username, limits: NO_LIMITS });
	assert.deepEqual(await set({ expires_at: '2000-01-01T00:00:00Z' }), {
		username,
		limits: { ...NO_LIMITS, expires_at: '2000-01-01T00:00:00.000Z' },
	});
	assert.equal((await api.viewDetails({ username })).data.state, 'expired');
	assert.deepEqual((await api.resume({ username })).data, { username, state: 'expired' });
});

test('a limit without its form is refused and named, and nothing is changed', async (t) => {
	const { api } = await start(t);
	await api.setLimits({ username, day_bytes: 5 });
	const wrong: readonly (readonly [name: string, values: readonly unknown[]])[] = [
		['day_bytes', [0, -1, 1.5, '5', true, [], 2 ** 53, 1e300]],
		['month_bytes', [0, '5', {}]],
		['total_bytes', [0, false]],
		['connections', [0, 1_000_001, '7', 2.5]],
		['allowed_ips', [[], '192.0.2.7', ['nowhere'], [5], ['192.0.2.7/33'], Array(33).fill('192.0.2.7'), {}]],
		['expires_at', ['soon', '2031-01-01', '2031-01-01T00:00:00', '2031-02-30T00:00:00Z', 5, '']],
	];
	const shape = Compile(SetLimitsRequest);
	for (const [name, values] of wrong) {
		for (const value of values) {
			const answer = await api.setLimits({ username, month_bytes: 7, [name]: value });
			assertFailure(answer, 400, 'invalid_limits', `${name} ${JSON.stringify(value)}`);
		}
		assert.ok(shape.Check({ username, [name]: null }));
	}
	assertFailure(await api.setLimits({ username }), 400, 'invalid_limits');
	assertFailure(await api.setLimits({ username, day_byte: 7 }), 400, 'invalid_limits');
	const { data } = await api.viewDetails({ username });
	assert.deepEqual(data.limits, { ...NO_LIMITS, day_bytes: 5 });
});

test('a note is one line for people', async (t) => {
	const { api } = await start(t);
	for (const note of ['pays by invoice', 'ölga ✓ 😀', '', 'x'.repeat(200), '😀'.repeat(200)]) {
		assert.deepEqual((await api.setNote({ username, note })).data, { username, note });
		assert.equal((await api.viewDetails({ username })).data.note, note);
	}
	for (const note of ['two\nlines', 'x'.repeat(201), 'bell\u0007', '\u202eevil', '\ud800']) {
		assertFailure(await api.setNote({ username, note }), 400, 'invalid_note', JSON.stringify(note));
	}
	assertFailure(await api.setNote({ username, note: null }), 400, 'invalid_request');
	assertFailure(await api.setNote({ username }), 400, 'invalid_request');
});

test('details say what is used, and fit their schema', async (t) => {
	const { api, config } = await start(t);
	const fresh = (await api.viewDetails({ username })).data;
	assert.deepEqual(fresh, {
		username,
		state: 'active',
		limits: NO_LIMITS,
		used: { day_bytes: 0, month_bytes: 0, total_bytes: 0, connections: null },
		note: '',
		last_seen: null,
	});
	const usedAtMs = Date.now() - 1_000;
	const report = { source: 'test', id: 'r1', username, bytesUp: 5, bytesDown: 7, atMs: usedAtMs };
	assert.ok((await withBank(config, (bank) => bank.recordUsage('test', [report]))).ok);
	await api.setLimits({ username, connections: 3 });
	const { data } = await api.viewDetails({ username });
	assert.equal(data.used.total_bytes, 12);
	assert.equal(data.used.connections, 0);
	assert.equal(data.last_seen, new Date(usedAtMs).toISOString());
	assert.ok(Compile(SubUserDetails).Check(data));
});

test('a delete gives the rest back; the sub-user is unknown from then on, and its name is taken', async (t) => {
	const { api } = await start(t);
	assert.deepEqual((await api.delete({ username })).data, { username, amount_usd_cents: 100 });
	assert.equal((await api.myInfo()).data.balance, 990);
	for (const call of [api.viewSingle, api.viewTxs, api.viewDetails, api.delete, api.suspend, api.resetAuthKey]) {
		assertFailure(await call({ username }), 404, 'unknown_sub_user');
	}
	assertFailure(await api.give({ username, amount_usd_cents: 1 }), 404, 'unknown_sub_user');
	assertFailure(await api.create({ username }), 409, 'username_taken');
	assert.deepEqual((await api.viewAll()).data, []);
});

test('other sub-users, other resellers and the reseller itself are unknown to each of the calls', async (t) => {
	const { api, other } = await start(t);
	const calls = ['suspend', 'resume', 'delete', 'viewDetails'] as const;
	for (const asked of [...calls.map((name) => other[name]), other.setNote, other.setLimits]) {
		for (const name of ['alice', 'other', 'acme', 'nobody', '%', '']) {
			assertFailure(await asked({ username: name, note: 'x', day_bytes: 1 }), 404, 'unknown_sub_user', name);
		}
	}
	assertFailure(await api.suspend({ username: 'acme' }), 404, 'unknown_sub_user');
	assert.equal((await api.viewDetails({ username })).data.state, 'active');
});

test('a change with an id is told as what it did, and is not done again', async (t) => {
	const { api } = await start(t);
	const id = (n: number) => `change-number-${String(n).padStart(2, '0')}`;
	const headers = (n: number) => ({ headers: { 'x-change-id': id(n) } });
	const done = [
		['suspend_sub_user', await api.suspend({ username }, headers(0))],
		['set_limits', await api.setLimits({ username, day_bytes: 5 }, headers(1))],
		['set_note', await api.setNote({ username, note: 'x' }, headers(2))],
		['delete_sub_user', await api.delete({ username }, headers(3))],
	] as const;
	for (const [n, [kind, answer]] of done.entries()) {
		assert.equal(answer.status, 200);
		const { data } = await api.viewChange({ change_id: id(n) });
		assert.partialDeepStrictEqual(data, {
			kind,
			username,
			amount: kind === 'delete_sub_user' ? 100 : null,
			balance: null,
			request_id: answer.headers.get('x-request-id'),
		});
	}
	assertFailure(await api.delete({ username }, headers(3)), 409, 'change_repeated');
	const late = { headers: { 'x-request-expires': '1' } };
	assertFailure(await api.suspend({ username }, late), 503, 'unavailable');
});

test('a suspended reseller reads, and changes nothing; a create costs no fee', async (t) => {
	const { api, submit } = await start(t);
	await submit({ kind: 'suspend_reseller', reseller: 'acme' });
	const body = { username, amount_usd_cents: 1, note: 'x', day_bytes: 5 };
	const changes = [
		api.create,
		api.give,
		api.take,
		api.resetAuthKey,
		api.suspend,
		api.resume,
		api.setLimits,
		api.setNote,
	];
	for (const change of [...changes, api.delete]) assertFailure(await change(body), 403, 'suspended');
	assertFailure(await api.create({}), 403, 'suspended');
	assert.equal((await api.myInfo()).data.balance, 890);
	for (const read of [api.viewSingle, api.viewTxs, api.viewDetails, api.viewPage, api.viewStatement]) {
		assert.equal((await read({ username })).status, 200);
	}
	assert.equal((await api.viewAll()).data.length, 1);
	await submit({ kind: 'resume_reseller', reseller: 'acme' });
	assert.equal((await api.give(body)).status, 200);
});
