import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { DashboardReads } from '@bursar/contract/dashboard';
import { newProxyAuthkey } from '../../../../src/credentials.ts';
import type { CreateSubUser, GiveBalance } from '../../../../src/domain/command.ts';
import { type Browser, startDashboard } from '../../../support/dashboard.ts';

/** Two resellers; the first one has sub-users with these names, the n-th with n cents, made in this order. */
async function startWith(t: TestContext, usernames: readonly string[]) {
	const dashboard = await startDashboard(t);
	const { store, clock } = dashboard;
	await dashboard.openReseller('acme', 1_000_000);
	const browser = await dashboard.signedIn('ann@acme.example', 'acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	await bolt.browser.change('/sub-users/create', { username: 'bolt_user' });
	const base = { reseller: 'acme', requestId: 'test' };
	for (const [index, username] of usernames.entries()) {
		const create: CreateSubUser = { kind: 'create_sub_user', ...base, username, proxyAuthkey: newProxyAuthkey() };
		const give: GiveBalance = { kind: 'give_balance', ...base, username, amountCents: index };
		const { kind } = await store.runCommands(index > 0 ? [create, give] : [create], clock.nowMs() + index);
		assert.equal(kind, 'committed');
	}
	return { ...dashboard, browser, bolt };
}

type Query = DashboardReads['/sub-users']['query'];

async function namesOf(browser: Browser, query: Query): Promise<string[]> {
	return (await browser.read('/sub-users', query)).sub_users.map(({ username }) => username);
}

test('pages of 50 lead forth and back, and the count says how many are before', async (t) => {
	const names = Array.from({ length: 60 }, (_, index) => `user_${String((index * 7) % 60).padStart(3, '0')}`);
	const { browser } = await startWith(t, names);
	// The n-th has n cents.
	const query = { order: '-balance', search: 'SER_', match: 'anywhere' } as const;
	const first = await browser.read('/sub-users', query);
	const second = await browser.read('/sub-users', { ...query, after: first.next ?? '' });
	const shown = [...first.sub_users, ...second.sub_users].map(({ username }) => username);
	assert.deepEqual([first.sub_users.length, first.previous, second.next, shown], [50, null, null, names.toReversed()]);
	assert.deepEqual(await browser.read('/sub-users', { ...query, before: second.previous ?? '' }), first);
	const counted = await browser.read('/sub-users/count', { ...query, first: second.previous ?? '' });
	assert.deepEqual(counted, { count: 60, before: 50 });
});

test('an entry has its balance, what it used in 30 days, and when it was made; nothing secret', async (t) => {
	const { browser, store, clock } = await startWith(t, ['alice', 'bobby']);
	const atMs = clock.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'bobby', atMs, bytesUp: 5, bytesDown: 6 }], atMs);
	const created = async (name: string) =>
		new Date((await store.findAccount('acme', name))?.createdAtMs ?? 0).toISOString();
	assert.deepEqual(await browser.read('/sub-users'), {
		sub_users: [
			{ username: 'alice', balance: 0, state: 'active', up: 0, down: 0, created: await created('alice') },
			{ username: 'bobby', balance: 1, state: 'active', up: 5, down: 6, created: await created('bobby') },
		],
		next: null,
		previous: null,
		price: null,
	});
	const details = await browser.read('/sub-user', { username: 'BOBBY' });
	assert.deepEqual(details, {
		...details,
		username: 'bobby',
		balance: 1,
		created: await created('bobby'),
		reseller_balance: 1_000_000 - 2 * 10 - 1,
		price: null,
	});
	assert.ok(!JSON.stringify(details).includes('key'));
});

test('a search takes its text literally, and finds nobody of another reseller', async (t) => {
	const { browser, bolt } = await startWith(t, ['alice', 'al_ce', 'al.ce', 'malice', 'user_1']);
	const anywhere = (search: string) => namesOf(browser, { search, match: 'anywhere' });
	assert.deepEqual(await namesOf(browser, { search: 'al' }), ['al.ce', 'al_ce', 'alice']);
	assert.deepEqual(await namesOf(browser, { search: 'AL_' }), ['al_ce']);
	assert.deepEqual(await namesOf(browser, { search: '' }), ['al.ce', 'al_ce', 'alice', 'malice', 'user_1']);
	assert.deepEqual(await anywhere('_'), ['al_ce', 'user_1']);
	assert.deepEqual(await anywhere('lice'), ['alice', 'malice']);
	assert.deepEqual(await anywhere('.'), ['al.ce']);
	const hostile = [
		'bolt',
		'bolt_user',
		'acme',
		'%',
		'al%',
		"'",
		'"',
		'\\',
		'*',
		'[a]',
		'<script>',
		'=1+1',
		'\u0000',
		'\u202eal',
	];
	for (const search of [...hostile, '\ufb01', 'x'.repeat(33), 'x'.repeat(8000), '\u212aelly']) {
		for (const match of ['beginning', 'anywhere'] as const) {
			const page = await browser.read('/sub-users', { search, match });
			assert.deepEqual(page, { sub_users: [], next: null, previous: null, price: null }, search);
			assert.deepEqual(await browser.read('/sub-users/count', { search, match }), { count: 0, before: 0 });
		}
	}
	assert.deepEqual(await namesOf(bolt.browser, {}), ['bolt_user']);
	// A position counts only within the own names.
	assert.deepEqual(await namesOf(browser, { after: 'bolt_user' }), ['malice', 'user_1']);
	assert.deepEqual(await namesOf(browser, { order: 'balance', after: '0~bolt_user' }), [
		'al_ce',
		'al.ce',
		'malice',
		'user_1',
	]);
});

test('a page that has become empty shows the first one', async (t) => {
	const { browser } = await startWith(t, ['alice', 'bobby']);
	assert.deepEqual(await namesOf(browser, { after: 'zzzzz' }), ['alice', 'bobby']);
	assert.deepEqual(await namesOf(browser, { before: '0000' }), ['alice', 'bobby']);
	assert.deepEqual(await namesOf(browser, { order: '-balance', after: '0~0000' }), ['bobby', 'alice']);
});

test('a name of another reseller, or of nobody, is unknown in every read and every change', async (t) => {
	const { browser, store } = await startWith(t, ['alice']);
	const others = [
		'bolt_user',
		'bolt',
		'acme',
		'nobody',
		'',
		'a',
		'<script>alert(1)</script>',
		'=1+1',
		'\u202ealice',
		'al\u0000ce',
	];
	const before = await store.findAccount('bolt', 'bolt_user');
	for (const username of others) {
		const name = encodeURIComponent(username);
		for (const path of [
			'/sub-user?',
			'/bandwidth?range=7d&',
			'/statement?',
			'/bandwidth.csv?range=7d&zone=UTC&',
			'/statement.csv?zone=UTC&',
		]) {
			await browser.refused('unknown_sub_user', `${path}username=${name}`);
		}
		for (const path of ['/sub-users/give', '/sub-users/take', '/sub-users/reset-key', '/sub-users/show-key']) {
			if (path === '/sub-users/show-key' && username === 'acme') continue;
			await browser.refused('unknown_sub_user', path, { act: randomUUID(), username, amount: 1 });
		}
	}
	assert.deepEqual(await store.findAccount('bolt', 'bolt_user'), before);
	const { acts } = await browser.read('/account/acts');
	assert.deepEqual(new Set(acts.map(({ kind }) => kind)), new Set(['accept_invitation']));
});
