import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DashboardChanges } from '@bursar/contract/dashboard';
import { KEYS_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { resellerApi } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';

type Path = keyof DashboardChanges;

async function start(t: Parameters<typeof startDashboard>[0], environment: Readonly<Record<string, string>> = {}) {
	const dashboard = await startDashboard(t, environment);
	const acme = await dashboard.resellerWithPerson('acme');
	const balances = async () =>
		Promise.all(['acme', 'alice'].map(async (name) => (await dashboard.store.findAccount('acme', name))?.balanceCents));
	return { ...dashboard, ...acme, balances };
}

test('a new sub-user has a pair, which the API shows too; the fee is paid', async (t) => {
	const { browser, balances, store, url, token } = await start(t, { BURSAR_PROXY_HOST: 'proxy.example:3128' });
	const pair = await browser.change('/sub-users/create', { username: 'Alice' });
	const { proxyAuthkey } = (await store.findAccount('acme', 'alice')) ?? assert.fail();
	assert.deepEqual(pair, { username: 'alice', proxy_authkey: proxyAuthkey, proxy_url: 'http://proxy.example:3128' });
	assert.deepEqual(await balances(), [990, 0]);
	const shown = await resellerApi(url, token).viewSingle({ username: 'alice' });
	assert.equal(shown.data.proxy_authkey, proxyAuthkey);
});

test('everybody who is signed in learns how programs reach the proxies, and a key comes with the first address', async (t) => {
	const { browser, operator } = await start(t, {
		BURSAR_PROXY_URLS: 'https://fra.proxy.example:443,socks5://fra.proxy.example:3128',
		BURSAR_PROXY_OPTIONS: 'country=US|DE,session',
		BURSAR_PROXY_HOST: 'proxy.example:3128',
	});
	const access = {
		proxy_urls: ['https://fra.proxy.example:443', 'socks5://fra.proxy.example:3128'],
		options: [
			{ name: 'country', values: ['US', 'DE'] },
			{ name: 'session', values: null },
		],
	};
	assert.deepEqual(await browser.read('/proxy-access'), access);
	assert.deepEqual(await (await operator()).read('/proxy-access'), access);
	const own = await browser.change('/sub-users/show-key', { username: 'acme' });
	assert.deepEqual([own.username, own.proxy_url], ['acme', 'https://fra.proxy.example:443']);
});

test('a name that is taken costs the fee, once for each act; one that cannot be a name costs nothing', async (t) => {
	const { browser, balances, resellerWithPerson, store } = await start(t);
	const bolt = await resellerWithPerson('bolt');
	await bolt.browser.change('/sub-users/create', { username: 'carol' });
	for (const [index, username] of ['carol', 'bolt', 'acme'].entries()) {
		const body = { act: randomUUID(), username };
		await browser.refused('username_taken', '/sub-users/create', body);
		await browser.refused('act_repeated', '/sub-users/create', body);
		assert.equal((await balances())[0], 1000 - 10 * (index + 1));
	}
	const movements = (await browser.read('/statement')).movements.filter(({ kind }) => kind === 'create_fee');
	assert.deepEqual(
		movements.map(({ amount, balance, by }) => [amount, balance, by]),
		[970, 980, 990].map((balance) => [-10, balance, { kind: 'person', email: 'ann@acme.example' }]),
	);
	const hostile = [
		'',
		'abc',
		'a..b1',
		'_abc',
		'x'.repeat(33),
		'<script>',
		'=1+1',
		'al ce',
		'al\u0000ce',
		'\u202ealice',
	];
	for (const username of [...hostile, '\u212aelly', 'al\u0131ce', 'x'.repeat(15_000)]) {
		await browser.refused('invalid_username', '/sub-users/create', { act: randomUUID(), username });
	}
	assert.equal((await balances())[0], 970);
	assert.equal((await store.findAccount('bolt', 'carol'))?.balanceCents, 0);
});

test('given and taken balance is answered with both balances, and every refusal moves nothing', async (t) => {
	const { browser, balances, store } = await start(t);
	await browser.change('/sub-users/create', { username: 'alice' });
	const { created, ...life } = await browser.read('/sub-user', { username: 'alice' });
	assert.equal(Date.parse(created), (await store.findAccount('acme', 'alice'))?.createdAtMs);
	const after = (balance: number, own: number) => ({ ...life, created, balance, reseller_balance: own });
	assert.deepEqual(await browser.change('/sub-users/give', { username: 'ALICE', amount: 300 }), after(300, 690));
	assert.deepEqual(await browser.change('/sub-users/take', { username: 'alice', amount: 100 }), after(200, 790));
	for (const [path, most] of [
		['/sub-users/give', 790],
		['/sub-users/take', 200],
	] as const) {
		for (const amount of [0, -1, 0.5, 1e300, 2 ** 53, -300]) {
			await browser.refused('invalid_amount', path, { act: randomUUID(), username: 'alice', amount });
		}
		await browser.refused('insufficient_balance', path, { act: randomUUID(), username: 'alice', amount: most + 1 });
	}
	for (const note of ['x'.repeat(201), 'two\nlines', 'a\u202eb', 'a\u0000b']) {
		for (const path of ['/sub-users/give', '/sub-users/take'])
			await browser.refused('invalid_note', path, { act: randomUUID(), username: 'alice', amount: 1, note });
	}
	assert.deepEqual(await balances(), [790, 200]);
	const note = 'Für Mai, <b>wie besprochen</b>';
	await browser.change('/sub-users/take', { username: 'alice', amount: 1, note });
	assert.equal((await browser.read('/statement')).movements[0]?.note, note);
});

test('a repeated act never pays twice, one after the other or at once, also with another path or body', async (t) => {
	const { browser, balances, openReseller, signedIn } = await start(t);
	await browser.change('/sub-users/create', { username: 'alice' });
	const act = randomUUID();
	const body = { act, username: 'alice', amount: 100 };
	const answers = await Promise.all(Array.from({ length: 10 }, () => browser.ask('/sub-users/give', body)));
	const codes = answers.map(({ errorCode }) => errorCode ?? 'done').toSorted();
	assert.deepEqual(codes, [...Array.from({ length: 9 }, () => 'act_repeated'), 'done']);
	assert.deepEqual(await balances(), [890, 100]);
	for (const [path, more] of [
		['/sub-users/give', { amount: 5 }],
		['/sub-users/take', {}],
		['/sub-users/create', { username: 'other_one' }],
		['/sub-users/reset-key', {}],
		['/sub-users/show-key', {}],
		['/overview/low-balance', { low_balance: 5 }],
		['/token/end-all', {}],
	] as readonly (readonly [Path, object])[]) {
		await browser.refused('act_repeated', path, { ...body, ...more });
	}
	// Nor may an act be taken from somebody else.
	await openReseller('bolt', 1000);
	const other = await signedIn('ben@bolt.example', 'bolt');
	await other.refused('act_repeated', '/sub-users/create', { act, username: 'other_one' });
	assert.deepEqual(await balances(), [890, 100]);
	assert.equal((await other.read('/overview')).balance, 1000);
});

test('a shown key is an act first; the reseller shows its own key too', async (t) => {
	const { browser, store, faults } = await start(t);
	const { proxy_authkey } = await browser.change('/sub-users/create', { username: 'alice' });
	const pair = { username: 'alice', proxy_authkey, proxy_url: null };
	assert.deepEqual(await browser.change('/sub-users/show-key', { username: 'Alice' }), pair);
	const own = await browser.change('/sub-users/show-key', { username: 'acme' });
	assert.equal(own.proxy_authkey, (await store.findAccount('acme', 'acme'))?.proxyAuthkey);
	const acts = async () =>
		(await browser.read('/account/acts')).acts.map(({ kind, target }) => `${kind} ${target}`).slice(0, 2);
	assert.deepEqual(await acts(), ['show_auth_key acme', 'show_auth_key alice']);
	faults.runPersonCommands = async () => ({ kind: 'not_done', cause: new Error('planted') });
	const refused = await browser.refused('unavailable', '/sub-users/show-key', { act: randomUUID(), username: 'alice' });
	assert.doesNotMatch(refused.text, new RegExp(proxy_authkey));
	delete faults.runPersonCommands;
	let reads = 0;
	faults.findAccount = async (...name) => {
		if (++reads > 1) throw new StoreUnavailableError('planted');
		return store.findAccount(...name);
	};
	await browser.refused('outcome_unknown', '/sub-users/show-key', { act: randomUUID(), username: 'alice' });
	delete faults.findAccount;
	assert.deepEqual(await acts(), ['show_auth_key alice', 'show_auth_key acme']);
	const reset = await browser.change('/sub-users/reset-key', { username: 'alice' });
	assert.notEqual(reset.proxy_authkey, proxy_authkey);
	assert.equal((await store.findAccount('acme', 'alice'))?.proxyAuthkey, reset.proxy_authkey);
});

test('many keys are shown after a proof, to whom may see them, and only those of own sub-users; one act names all', async (t) => {
	const { browser, store, clock, resellerWithPerson, signedIn } = await start(t);
	const bolt = await resellerWithPerson('bolt');
	await bolt.browser.change('/sub-users/create', { username: 'carol' });
	const pairs: object[] = [];
	for (const username of ['alice', 'bobby']) {
		const { proxy_authkey } = await browser.change('/sub-users/create', { username });
		pairs.push({ username, proxy_authkey });
	}
	const path = '/sub-users/show-keys';
	const body = { act: randomUUID(), usernames: ['Alice', 'carol', 'nobody', 'bobby', 'alice', 'acme', '.bad.'] };
	const viewer = await signedIn('vic@acme.example', 'acme', 'viewer');
	await viewer.refused('not_allowed', path, body);
	clock.aheadMs = 6 * 60_000;
	await browser.refused('proof_required', path, body);
	await browser.ok('/proof', { password: PASSWORD });
	const answer = await browser.ask(path, body);
	assert.deepEqual(JSON.parse(answer.text).data, { keys: pairs });
	assert.equal(answer.headers.get('cache-control'), 'no-store');
	await browser.refused('act_repeated', path, body);
	await browser.refused('unknown_sub_user', path, { act: randomUUID(), usernames: ['carol', 'nobody', 'acme'] });
	const tooMany = Array.from({ length: KEYS_AT_ONCE + 1 }, (_, index) => `user.${index}`);
	for (const usernames of [[], tooMany]) {
		await browser.refused('invalid_request', path, { act: randomUUID(), usernames });
	}
	const longest = tooMany.slice(1).map((name) => name.padEnd(USERNAME_MAX_LENGTH, 'x'));
	await browser.refused('unknown_sub_user', path, { act: randomUUID(), usernames: longest });
	const shown = (await browser.read('/account/acts')).acts.filter(({ kind }) => kind === 'show_auth_key');
	assert.deepEqual(
		shown.map(({ target }) => target),
		['alice bobby'],
	);
	assert.equal((await store.findAccount('bolt', 'carol'))?.username, 'carol');
});

test('if the balances cannot be read after the money has moved, the outcome is unknown, and the act shows it', async (t) => {
	const { browser, balances, faults } = await start(t);
	await browser.change('/sub-users/create', { username: 'alice' });
	const body = { act: randomUUID(), username: 'alice', amount: 5 };
	faults.findAccount = () => Promise.reject(new StoreUnavailableError('planted'));
	await browser.refused('outcome_unknown', '/sub-users/give', body);
	await browser.refused('unavailable', '/sub-user?username=alice');
	delete faults.findAccount;
	await browser.refused('act_repeated', '/sub-users/give', body);
	assert.deepEqual(await balances(), [985, 5]);
});

test('what the store could not do is said: not done, or unknown', async (t) => {
	const { browser, balances, faults } = await start(t);
	await browser.change('/sub-users/create', { username: 'alice' });
	for (const [kind, code] of [
		['not_done', 'unavailable'],
		['outcome_unknown', 'outcome_unknown'],
	] as const) {
		faults.runCommands = async () => ({ kind, cause: new Error('planted') });
		for (const path of ['/sub-users/create', '/sub-users/give', '/sub-users/take', '/sub-users/reset-key']) {
			const body = { act: randomUUID(), username: path.endsWith('create') ? 'bobby' : 'alice', amount: 1 };
			const { headers } = await browser.refused(code, path, body);
			assert.equal(headers.has('retry-after'), code === 'unavailable');
		}
	}
	delete faults.runCommands;
	assert.deepEqual(await balances(), [990, 0]);
});
