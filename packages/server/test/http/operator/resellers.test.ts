import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startOperatorService } from '../../support/operator-service.ts';

test('a program creates a reseller, whose token is told only there, and reads what it has', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const created = await operator('createReseller', { username: 'Acme' });
	assert.deepEqual({ ...created.data, token: '' }, { username: 'acme', token: '' });
	assert.equal((await resellerApi(service.url, created.data.token).myInfo()).data.balance, 0);
	assertFailure(await operator('createReseller', { username: 'acme' }), 409, 'username_taken');
	assertFailure(await operator('createReseller', { username: '_acme' }), 400, 'invalid_username');

	const { date_created, ...view } = (await operator('viewReseller', { username: 'ACME' })).data;
	assert.deepEqual(view, {
		...{ username: 'acme', balance: 0, debt: 0, debt_line: 500, price: null, suspended_since: null },
		...{ sign_in_by_address: false, note: '' },
	});
	assert.ok(Date.parse(date_created) <= Date.now());
	for (const username of ['nobody', 'x', 'acme\u0000']) {
		assertFailure(await operator('viewReseller', { username }), 404, 'unknown_reseller');
	}
});

test('a reseller is suspended, noted and resumed, and keeps what it had', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 100);
	const reseller = resellerApi(service.url, token);
	const acme = { username: 'acme' };
	assert.deepEqual((await operator('setResellerNote', { ...acme, note: 'pays late' })).data, {
		...acme,
		note: 'pays late',
	});
	for (let time = 0; time < 2; time++) {
		assert.deepEqual((await operator('suspendReseller', acme)).data, { ...acme, suspended: true });
	}
	assertFailure(await reseller.create({ username: 'alice' }), 403, 'suspended');
	const suspended = (await operator('viewReseller', acme)).data;
	assert.equal(suspended.note, 'pays late');
	assert.ok(Date.parse(suspended.suspended_since) <= Date.now());
	await operator('setResellerNote', { ...acme, note: '' });
	assert.equal((await operator('resumeReseller', acme)).data.suspended, false);
	const { suspended_since, note } = (await operator('viewReseller', acme)).data;
	assert.deepEqual([suspended_since, note], [null, '']);
	assert.equal((await reseller.create({ username: 'alice' })).status, 200);

	for (const allowed of [true, true, false, true]) {
		const { data } = await operator('setSignInByAddress', { ...acme, allowed });
		assert.deepEqual(data, { ...acme, sign_in_by_address: allowed });
		assert.equal((await operator('viewReseller', acme)).data.sign_in_by_address, allowed);
	}
	const signIn = { username: 'alice', sign_in_ips: ['192.0.2.7'] };
	assert.deepEqual((await reseller.setSignInIps(signIn)).data, signIn);
	const { sign_in_ips } = (await operator('viewSubUser', { reseller: 'acme', username: 'alice' })).data;
	assert.deepEqual(sign_in_ips, ['192.0.2.7']);
	assertFailure(await operator('setSignInByAddress', { ...acme, allowed: 'yes' }), 400, 'invalid_request');

	assertFailure(await operator('setResellerNote', { ...acme, note: 'x'.repeat(201) }), 400, 'invalid_note');
	for (const name of ['suspendReseller', 'resumeReseller', 'setResellerNote', 'setSignInByAddress'] as const) {
		for (const username of ['nobody', '']) {
			assertFailure(await operator(name, { username, note: '', allowed: true }), 404, 'unknown_reseller', name);
		}
	}
	assertFailure(await operator('setResellerNote', { username: 'alice', note: '' }), 404, 'unknown_reseller');
});

test('resellers are read in pages by name, as each one is read', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	for (const name of ['acme', 'acorn', 'bolt']) await service.openReseller(name, 5);
	await operator('setResellerNote', { username: 'acorn', note: 'new' });
	await operator('setPrice', { username: 'acorn', price: 7, debt_line: 0 });
	const page = async (body: object) => (await operator('viewResellerPage', body)).data;
	const all = await page({});
	const names = ({ resellers }: typeof all) => resellers.map(({ username }: { username: string }) => username);
	assert.deepEqual([names(all), all.next], [['acme', 'acorn', 'bolt'], null]);
	for (const each of all.resellers) {
		assert.deepEqual((await operator('viewReseller', { username: each.username })).data, each);
	}
	assert.deepEqual(names(await page({ prefix: 'AC' })), ['acme', 'acorn']);
	assert.deepEqual(names(await page({ prefix: 'x' })), []);
	const first = await page({ limit: 2 });
	assert.deepEqual([names(first), first.next], [['acme', 'acorn'], 'acorn']);
	assert.deepEqual(names(await page({ limit: 2, after: first.next })), ['bolt']);
	for (const body of [{ limit: 0 }, { limit: 101 }, { prefix: 'a%' }, { after: '\u0000' }, { after: 5 }]) {
		assertFailure(await operator('viewResellerPage', body), 400, 'invalid_request', JSON.stringify(body));
	}
});

test('the sub-users of a reseller are shown without keys and without what the reseller notes', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 1000);
	await service.openReseller('bolt', 0);
	const reseller = resellerApi(service.url, token);
	for (const username of ['alice', 'bobby']) await reseller.create({ username });
	await reseller.give({ username: 'alice', amount_usd_cents: 250 });
	await reseller.setLimits({ username: 'alice', day_bytes: 1_000, connections: 5 });
	await reseller.setNote({ username: 'alice', note: 'secret of acme' });
	await reseller.suspend({ username: 'bobby' });

	const { date_created, ...alice } = (await operator('viewSubUser', { reseller: 'ACME', username: 'Alice' })).data;
	const none = { month_bytes: null, total_bytes: null, bytes_per_second: null, allowed_ips: null, expires_at: null };
	assert.deepEqual(alice, {
		...{ username: 'alice', balance: 250, state: 'active', usable: true, reason: null },
		...{ sign_in_ips: [], last_seen: null, last_refusal: null, refusals: [] },
		limits: { day_bytes: 1_000, connections: 5, ...none },
		used: { day_bytes: 0, month_bytes: 0, total_bytes: 0, connections: 0 },
	});
	const page = async (body: object) => (await operator('viewSubUserPage', { reseller: 'acme', ...body })).data;
	const listed = { username: 'alice', balance: 250, state: 'active', date_created };
	const all = await page({});
	assert.deepEqual([all.sub_users[0], all.next], [listed, null]);
	const names = ({ sub_users }: typeof all) => sub_users.map(({ username }: { username: string }) => username);
	assert.deepEqual(names(all), ['alice', 'bobby']);
	assert.deepEqual(names(await page({ state: 'suspended' })), ['bobby']);
	assert.deepEqual(names(await page({ prefix: 'AL' })), ['alice']);
	assert.deepEqual(names(await page({ limit: 1, after: 'alice' })), ['bobby']);
	assert.deepEqual((await operator('viewSubUserPage', { reseller: 'bolt' })).data, { sub_users: [], next: null });
	assertFailure(await operator('viewSubUserPage', { reseller: 'nobody' }), 404, 'unknown_reseller');
	for (const [of, username] of [
		['bolt', 'alice'],
		['acme', 'acme'],
		['acme', 'nobody'],
		['acme', '.'],
	]) {
		assertFailure(await operator('viewSubUser', { reseller: of, username }), 404, 'unknown_sub_user');
	}
});
