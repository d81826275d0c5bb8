import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, CREATE_FEE_CENTS, MAX_CENTS } from '@bursar/contract';
import { assertFailure, call, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { wholeFile } from '../../support/whole-file.ts';

const { path } = allEndpoints.createSubUserWith;
const { url, openReseller, submit } = await startTestService(wholeFile);

async function open(reseller: string, balanceCents = 1000) {
	const { token } = await openReseller(reseller, balanceCents);
	const api = resellerApi(url, token);
	return { token, api, balance: async () => (await api.myInfo()).data.balance };
}

const NO_LIMITS = {
	day_bytes: null,
	month_bytes: null,
	total_bytes: null,
	connections: null,
	bytes_per_second: null,
	allowed_ips: null,
	expires_at: null,
};

test('the answer is the sub-user with all that it has, and every read shows the same', async () => {
	const { api, balance } = await open('seller');
	const sent = {
		total_bytes: 10_000,
		connections: null,
		bytes_per_second: 1_250_000,
		allowed_ips: ['192.0.2.9/24'],
		expires_at: '2126-01-01T00:00:00Z',
	};
	const body = { username: 'Seller.1', amount_usd_cents: 250, limits: sent, note: 'order "7"', ignored: true };
	const { status, data } = await api.createWith(body, { headers: { 'x-reference': 'order-7' } });
	assert.equal(status, 200);
	const limits = {
		...NO_LIMITS,
		total_bytes: 10_000,
		bytes_per_second: 1_250_000,
		allowed_ips: ['192.0.2.0/24'],
		expires_at: '2126-01-01T00:00:00.000Z',
	};
	const { limits: answered, note, ...subUser } = data;
	assert.deepEqual([subUser.username, subUser.balance, answered, note], ['seller.1', 250, limits, 'order "7"']);
	assert.deepEqual((await api.viewSingle({ username: 'seller.1' })).data, subUser);
	const details = (await api.viewDetails({ username: 'seller.1' })).data;
	assert.deepEqual([details.state, details.limits, details.note], ['active', limits, note]);
	assert.equal(await balance(), 1000 - CREATE_FEE_CENTS - 250);
	const { data: bare } = await api.createWith({ username: 'seller.2' });
	assert.deepEqual([bare.balance, bare.limits, bare.note], [0, NO_LIMITS, '']);
	const { movements } = (await api.viewStatement({ limit: 3 })).data;
	assert.deepEqual(
		movements.map(({ kind, username, amount, reference }: Record<string, unknown>) => [
			kind,
			username,
			amount,
			reference,
		]),
		[
			['create_fee', 'seller.2', 10, null],
			['give', 'seller.1', 250, 'order-7'],
			['create_fee', 'seller.1', 10, null],
		],
	);
	assert.equal(movements[1].request_id, movements[2].request_id);
});

test('what is wrong is told in the order of docs/api.md 4.2, costs nothing and makes no sub-user', async () => {
	const { api, token, balance } = await open('wrong');
	const wrongAll = { amount_usd_cents: 1.5, limits: { day_bytes: 0 }, note: 'two\nlines' };
	for (const [body, code, words = /./] of [
		[{ ...wrongAll }, 'invalid_request', /username of the request body is missing/],
		[{ ...wrongAll, username: 5 }, 'invalid_request', /username of the request body must be a string/],
		[{ ...wrongAll, username: '..', amount_usd_cents: '5' }, 'invalid_request', /amount_usd_cents .* must be a number/],
		[
			{ ...wrongAll, username: '..', amount_usd_cents: null },
			'invalid_request',
			/amount_usd_cents .* must be a number/,
		],
		[{ ...wrongAll, username: '..', limits: [] }, 'invalid_request', /limits .* must be an object/],
		[{ ...wrongAll, username: '..', limits: null }, 'invalid_request', /limits .* must be an object/],
		[{ ...wrongAll, username: '..', note: 5 }, 'invalid_request', /note .* must be a string/],
		[{ ...wrongAll, username: '..' }, 'invalid_username'],
		[{ ...wrongAll, username: 'wrong.1' }, 'invalid_amount'],
		[{ ...wrongAll, username: 'wrong.1', amount_usd_cents: 0 }, 'invalid_amount'],
		[{ ...wrongAll, username: 'wrong.1', amount_usd_cents: 5 }, 'invalid_limits', /the limit day_bytes must/],
		[
			{ username: 'wrong.1', limits: { daybytes: 5 } },
			'invalid_limits',
			/^limits has a name that is none of day_bytes/,
		],
		[{ username: 'wrong.1', limits: { username: 'x' } }, 'invalid_limits', /^limits has a name/],
		[{ username: 'wrong.1', limits: { expires_at: 'tomorrow' } }, 'invalid_limits', /the limit expires_at must/],
		[{ username: 'wrong.1', limits: { allowed_ips: ['300.1.1.1'] } }, 'invalid_limits', /the limit allowed_ips must/],
		[{ ...wrongAll, username: 'wrong.1', amount_usd_cents: 5, limits: {} }, 'invalid_note'],
		['[]', 'invalid_request'],
		['{"username":"wrong.1","limits":{"day_bytes":5,"day_bytes":6}}', 'invalid_request'],
	] as const) {
		const answer = await api.createWith(body);
		assertFailure(answer, 400, code, JSON.stringify(body));
		assert.match(answer.message, words);
	}
	const body = { username: 'wrong.1' };
	for (const headers of [{ 'x-reference': 'two words' }, { 'x-change-id': 'short' }, { 'x-request-expires': 'soon' }]) {
		assertFailure(await api.createWith(body, { headers }), 400, 'invalid_request', JSON.stringify(headers));
	}
	assertFailure(await api.createWith(body, { headers: { 'x-request-expires': '1' } }), 503, 'unavailable');
	assertFailure(await call(url, path, { token, body: 'x'.repeat(20_000) }), 413, 'payload_too_large');
	assertFailure(
		await call(url, path, { token, body: '{}', headers: { 'content-type': 'text/plain' } }),
		415,
		'unsupported_media_type',
	);
	assert.equal(await balance(), 1000);
	assert.deepEqual((await api.viewAll()).data, []);
});

test('too little balance costs nothing and tells nothing of the name; a taken name costs the fee', async () => {
	const { api, balance } = await open('poor', 100);
	for (const username of ['poor.1', 'poor', 'rich']) {
		for (const amount_usd_cents of [91, MAX_CENTS]) {
			assertFailure(await api.createWith({ username, amount_usd_cents }), 402, 'insufficient_balance');
		}
	}
	assert.equal(await balance(), 100);
	await open('rich');
	assertFailure(await api.createWith({ username: 'rich', amount_usd_cents: 90 }), 409, 'username_taken');
	assert.equal(await balance(), 90);
	assert.equal((await api.createWith({ username: 'poor.1', amount_usd_cents: 80 })).data.balance, 80);
	assert.equal(await balance(), 0);
});

test('with an id it is done once, and the look tells what was given', async () => {
	const { api, balance } = await open('once');
	const tell = async (change_id: string) => {
		const { kind, username, amount, balance, error } = (await api.viewChange({ change_id })).data;
		return [kind, username, amount, balance, error];
	};
	const headers = { 'x-change-id': 'change-number-01' };
	const body = { username: 'once.1', amount_usd_cents: 50, limits: { total_bytes: 5 } };
	await api.createWith(body, { headers });
	const again = await api.createWith({ ...body, username: 'once.2' }, { headers });
	assertFailure(again, 409, 'change_repeated');
	assert.deepEqual([again.data.change.kind, again.data.change.amount], ['create_with', 50]);
	assert.deepEqual(await tell('change-number-01'), ['create_with', 'once.1', 50, 50, null]);
	await api.createWith(body, { headers: { 'x-change-id': 'change-number-02' } });
	assert.deepEqual(await tell('change-number-02'), ['create_with', 'once.1', 0, null, 'username_taken']);
	assert.equal(await balance(), 1000 - 50 - 2 * CREATE_FEE_CENTS);
});

test('a suspended reseller creates nothing and pays nothing', async () => {
	const { api, balance } = await open('stopped');
	await submit({ kind: 'suspend_reseller', reseller: 'stopped' });
	assertFailure(await api.createWith({ username: 'stopped.1' }), 403, 'suspended');
	assert.equal(await balance(), 1000);
});

test('the lenient mode takes decimal digits as the amount', async (t) => {
	const lenient = await startTestService(t, { BURSAR_LENIENT: '1' });
	const { token } = await lenient.openReseller('acme', 1000);
	const { createWith } = resellerApi(lenient.url, token);
	assert.equal((await createWith({ username: 'alice', amount_usd_cents: '250' })).data.balance, 250);
	assertFailure(await createWith({ username: 'bruno', amount_usd_cents: '2.5' }), 400, 'invalid_request');
});
