import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StatementPage, SubUserPage } from '@bursar/contract';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startTestService, withBank } from '@bursar/testing/service';
import { Compile } from 'typebox/compile';
import type { Command } from '../../../src/domain/command.ts';
import { createSubUser, setLimits } from '../../support/commands.ts';

type Api = ReturnType<typeof resellerApi>;

const isPage = Compile(SubUserPage);
const isStatement = Compile(StatementPage);

/** A service with a reseller that has sub-users of these names, and another reseller with names around them. */
async function start(t: TestContext, names: readonly string[]) {
	const service = await startTestService(t);
	const api = resellerApi(service.url, (await service.openReseller('mmmm', 100_000)).token);
	const other = resellerApi(service.url, (await service.openReseller('other', 1000)).token);
	for (const username of names) assert.equal((await api.create({ username })).status, 200);
	for (const username of ['aaaa0', 'mmmm0', 'zzzz0']) await other.create({ username });
	return { ...service, api, other };
}

/** The names of all pages, in their order. */
async function allNames(api: Api, query: Record<string, unknown>): Promise<string[]> {
	const names: string[] = [];
	let after: string | null = null;
	do {
		const { data } = await api.viewPage({ ...query, after });
		assert.ok(isPage.Check(data), JSON.stringify(data));
		names.push(...data.sub_users.map(({ username }) => username));
		after = data.next;
	} while (after !== null);
	return names;
}

test('pages of any size have every sub-user once, in the order of names', async (t) => {
	const names = ['alice', 'alice.2', 'alice_2', 'bob_42', 'mmmm1', 'zoe.9'];
	const { api } = await start(t, names);
	const inOrder = names.toSorted();
	for (const limit of [1, 2, 3, 5, 6, 7, 1000]) assert.deepEqual(await allNames(api, { limit }), inOrder);
	assert.deepEqual(await allNames(api, {}), inOrder);
	assert.deepEqual(await allNames(api, { prefix: 'alice' }), ['alice', 'alice.2', 'alice_2']);
	assert.deepEqual(await allNames(api, { prefix: 'ALICE.', limit: 1 }), ['alice.2']);
	assert.deepEqual(await allNames(api, { prefix: 'nobody' }), []);
	const { data } = await api.viewPage({ limit: 1 });
	const single = (await api.viewSingle({ username: 'alice' })).data;
	assert.deepEqual(data.sub_users, [{ ...single, state: 'active' }]);
});

test('pages of a state have those in it now', async (t) => {
	const names = ['user.1', 'user.2', 'user.3', 'user.4', 'user.5'];
	const { api } = await start(t, names);
	await api.suspend({ username: 'user.2' });
	await api.setLimits({ username: 'user.3', expires_at: '2020-01-01T00:00:00Z' });
	await api.setLimits({ username: 'user.4', expires_at: '2200-01-01T00:00:00Z' });
	await api.setLimits({ username: 'user.5', expires_at: '2020-01-01T00:00:00Z' });
	await api.suspend({ username: 'user.5' });
	for (const limit of [1, 2, 100]) {
		assert.deepEqual(await allNames(api, { limit, state: 'suspended' }), ['user.2', 'user.5']);
		assert.deepEqual(await allNames(api, { limit, state: 'expired' }), ['user.3']);
		assert.deepEqual(await allNames(api, { limit, state: 'active' }), ['user.1', 'user.4']);
		assert.deepEqual(await allNames(api, { limit, state: 'active', prefix: 'user.4' }), ['user.4']);
	}
});

test('a page without a match ends after 10,000 names, and the next one goes on', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1_000_000);
	const api = resellerApi(service.url, token);
	const names = Array.from({ length: 20_500 }, (_, n) => `user.${n}`);
	const expiresAtMs = Date.now() + 3_600_000;
	await withBank(service.config, async (bank) => {
		for (let from = 0; from < names.length; from += 500) {
			const commands = names.slice(from, from + 500).flatMap((name): Command[] => {
				return [createSubUser('acme', name), setLimits('acme', name, { expiresAtMs })];
			});
			const outcomes = await Promise.all(commands.map((command) => bank.submit(command)));
			assert.ok(outcomes.every(({ ok }) => ok));
		}
	});
	const first = (await api.viewPage({ state: 'expired' })).data;
	assert.deepEqual(first.sub_users, []);
	assert.ok(typeof first.next === 'string');
	const pages: (string | null)[] = [first.next];
	while (pages.at(-1)) pages.push((await api.viewPage({ state: 'expired', after: pages.at(-1) })).data.next);
	assert.equal(pages.length, 3);
	assert.equal((await api.viewPage({ limit: 1000 })).data.sub_users.length, 1000);
});

test('a page that is asked for in a wrong way is refused', async (t) => {
	const { api } = await start(t, []);
	for (const wrong of [
		...[{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { limit: '5' }, { limit: null }],
		...[{ after: 5 }, { after: 'a b' }, { after: 'x'.repeat(65) }, { after: {} }],
		...[{ prefix: 5 }, { prefix: 'a%' }, { prefix: null }, { state: 'gone' }, { state: null }, { state: 5 }],
	]) {
		assertFailure(await api.viewPage(wrong), 400, 'invalid_request', JSON.stringify(wrong));
	}
	for (const wrong of [
		...[{ limit: 0 }, { after: 5 }, { after: 'next' }, { after: '-1' }, { after: '1e3' }, { after: '9'.repeat(20) }],
		...[{ from: 5 }, { from: '2026-02-30' }, { to: '2026-11-21T00:00:00Z' }, { to: null }],
	]) {
		assertFailure(await api.viewStatement(wrong), 400, 'invalid_request', JSON.stringify(wrong));
	}
});

test('the statement has every movement once, the newest first, also of deleted sub-users', async (t) => {
	const { api } = await start(t, ['alice', 'bruno']);
	await api.give({ username: 'alice', amount_usd_cents: 300 });
	const taken = await api.take({ username: 'alice', amount_usd_cents: 50 });
	const deleted = await api.delete({ username: 'alice' });
	await api.create({ username: '' });
	const all = (await api.viewStatement({})).data;
	assert.ok(isStatement.Check(all), JSON.stringify(all));
	assert.equal(all.next, null);
	const shown = all.movements.map((each) => [
		each.kind,
		each.username,
		each.amount,
		each.balance,
		each.sub_user_balance,
	]);
	assert.deepEqual(shown, [
		['create_fee', null, 10, 99_970, null],
		['take', 'alice', 250, 99_980, 0],
		['take', 'alice', 50, 99_730, 250],
		['give', 'alice', 300, 99_680, 300],
		['create_fee', 'bruno', 10, 99_980, null],
		['create_fee', 'alice', 10, 99_990, null],
		['top_up', null, 100_000, 100_000, null],
	]);
	assert.deepEqual(
		all.movements.slice(1, 3).map(({ request_id }) => request_id),
		[deleted, taken].map(({ headers }) => headers.get('x-request-id')),
	);
	const paged: unknown[] = [];
	let after: string | null = null;
	do {
		const { data } = await api.viewStatement({ after, limit: 2 });
		paged.push(...data.movements);
		after = data.next;
	} while (after !== null);
	assert.deepEqual(paged, all.movements);
	const today = all.movements.at(-1)?.timestamp.slice(0, 10);
	const lastDay = all.movements[0]?.timestamp.slice(0, 10);
	assert.equal((await api.viewStatement({ from: today, to: lastDay })).data.movements.length, all.movements.length);
	assert.deepEqual((await api.viewStatement({ to: '2020-01-01' })).data, { movements: [], next: null });
	assert.deepEqual((await api.viewStatement({ from: '2200-01-01' })).data, { movements: [], next: null });
	await Promise.all(Array.from({ length: 130 }, () => api.give({ username: 'bruno', amount_usd_cents: 1 })));
	const large = (await api.viewStatement({ limit: 1000 })).data;
	assert.equal(large.movements.length, all.movements.length + 130, 'a page of several reads');
	assert.ok(isStatement.Check(large));
	assert.ok(new Set(large.movements.map(({ balance }) => balance)).size >= 130);
	assert.equal((await api.viewStatement({ limit: 101 })).data.movements.length, 101);
});
