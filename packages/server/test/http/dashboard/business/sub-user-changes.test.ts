import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { KEYS_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { resellerApi } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { PASSWORD, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const dashboard = await startDashboard(wholeFile, {
	BURSAR_PROXY_URLS: 'https://fra.proxy.example:443,socks5://fra.proxy.example:3128',
	BURSAR_PROXY_OPTIONS: 'country=US|DE,session',
	BURSAR_PROXY_HOST: 'proxy.example:3128',
});
const { store, clock, faults, operator, signedIn, resellerWithPerson } = dashboard;
const PROXY = { proxy_url: 'https://fra.proxy.example:443' };
const { browser: bob } = await resellerWithPerson('bolt');
await bob.change('/sub-users/create', { username: 'carol' });

/** A person of a new reseller, with the balances of the reseller and of a sub-user. */
async function start(reseller: string, username: string) {
	const balances = () =>
		Promise.all([reseller, username].map(async (name) => (await store.findAccount(reseller, name))?.balanceCents));
	return { ...(await resellerWithPerson(reseller)), balances };
}

test('a new sub-user has a pair, which the API shows too; the fee is paid; all who are signed in learn of the proxies', async () => {
	const { browser, balances, token } = await start('paired', 'pair.one');
	const pair = await browser.change('/sub-users/create', { username: 'Pair.One' });
	const { proxyAuthkey } = (await store.findAccount('paired', 'pair.one')) ?? assert.fail();
	assert.deepEqual(pair, { username: 'pair.one', proxy_authkey: proxyAuthkey, ...PROXY });
	assert.deepEqual(await balances(), [990, 0]);
	const shown = await resellerApi(dashboard.url, token).viewSingle({ username: 'pair.one' });
	assert.equal(shown.data.proxy_authkey, proxyAuthkey);
	const access = {
		proxy_urls: ['https://fra.proxy.example:443', 'socks5://fra.proxy.example:3128'],
		options: [
			{ name: 'country', values: ['US', 'DE'] },
			{ name: 'session', values: null },
		],
	};
	for (const by of [browser, await operator()]) assert.deepEqual(await by.read('/proxy-access'), access);
});

test('a new sub-user can have balance, limits and a note from the beginning, all or nothing', async () => {
	const username = 'whole.one';
	const { browser, balances, email } = await start('whole', username);
	const limits = { total_bytes: 10_000, expires_at: '2126-01-01T00:00:00.000Z' };
	const body = { username, amount: 300, limits, note: 'order 7', reference: 'order-7' };
	for (const [code, wrong] of [
		['insufficient_balance', { amount: 991 }],
		['invalid_amount', { amount: 0 }],
		['invalid_limits', { limits: { total_bytes: 0 } }],
		['invalid_note', { note: 'two\nlines' }],
		['invalid_request', { limits: { bytes: 5 } }],
		['invalid_request', { reference: 'two words' }],
	] as const) {
		await browser.refused(code, '/sub-users/create', { act: randomUUID(), ...body, ...wrong });
	}
	assert.deepEqual(await balances(), [1000, undefined]);
	assert.equal((await browser.change('/sub-users/create', body)).username, username);
	assert.deepEqual(await balances(), [690, 300]);
	const details = await browser.read('/sub-user', { username });
	assert.deepEqual([details.limits.total_bytes, details.limits.expires_at], Object.values(limits));
	assert.equal(details.note, 'order 7');
	const { movements } = await browser.read('/statement');
	assert.deepEqual(movements.map(({ kind, amount, by, reference }) => [kind, amount, by, reference]).slice(0, 2), [
		['give', -300, { kind: 'person', email }, 'order-7'],
		['create_fee', -10, { kind: 'person', email }, ''],
	]);
});

test('a name that is taken costs the fee, once for each act; one that cannot be a name costs nothing', async () => {
	const { browser, balances, email } = await start('charged', 'nobody');
	const body = { act: randomUUID(), username: 'carol' };
	await browser.refused('username_taken', '/sub-users/create', body);
	await browser.refused('act_repeated', '/sub-users/create', body);
	const [fee] = (await browser.read('/statement')).movements;
	assert.deepEqual(
		[fee?.kind, fee?.amount, fee?.balance, fee?.by],
		['create_fee', -10, 990, { kind: 'person', email }],
	);
	for (const username of ['', 'abc', '<script>', 'al\u0000ce', '\u202ealice', '\u212aelly', 'x'.repeat(15_000)]) {
		await browser.refused('invalid_username', '/sub-users/create', { act: randomUUID(), username });
	}
	assert.equal((await balances())[0], 990);
});

test('given and taken balance is answered with both balances, and every refusal moves nothing', async () => {
	const username = 'moved.one';
	const { browser, balances } = await start('moved', username);
	await browser.change('/sub-users/create', { username });
	const before = await browser.read('/sub-user', { username });
	const after = (balance: number, reseller_balance: number) => ({ ...before, balance, reseller_balance });
	const given = await browser.change('/sub-users/give', { username: 'MOVED.one', amount: 300 });
	assert.deepEqual(given, after(300, 690));
	assert.deepEqual(await browser.change('/sub-users/take', { username, amount: 100 }), after(200, 790));
	for (const [path, most] of [
		['/sub-users/give', 790],
		['/sub-users/take', 200],
	] as const) {
		for (const [code, change] of [
			['invalid_amount', { amount: 0.5 }],
			['invalid_amount', { amount: -300 }],
			['insufficient_balance', { amount: most + 1 }],
			['invalid_note', { amount: 1, note: 'a\u202eb' }],
		] as const) {
			await browser.refused(code, path, { act: randomUUID(), username, ...change });
		}
	}
	assert.deepEqual(await balances(), [790, 200]);
	const note = 'Für Mai, <b>wie besprochen</b>';
	await browser.change('/sub-users/take', { username, amount: 1, note });
	assert.equal((await browser.read('/statement')).movements[0]?.note, note);
	const reference = 'order-7&8';
	await browser.change('/sub-users/give', { username, amount: 1, reference });
	await browser.change('/sub-users/take', { username, amount: 1, reference });
	const query = { reference };
	for (const read of [
		() => browser.read('/statement', query),
		() => browser.read('/statement', { ...query, username }),
	]) {
		const { movements } = await read();
		assert.deepEqual(
			movements.map(({ kind, reference }) => [kind, reference]),
			[
				['take', reference],
				['give', reference],
			],
		);
	}
	const file = await browser.download('/statement.csv', { zone: 'UTC', kind: 'give', reference });
	const [, line, ...others] = (await file.text()).split('\r\n');
	assert.match(line ?? '', /,give,.*,order-7&8,/);
	assert.deepEqual(others, ['']);
	for (const wrong of ['', 'two words', 'x'.repeat(129)]) {
		const body = { act: randomUUID(), username, amount: 1, reference: wrong };
		await browser.refused('invalid_request', '/sub-users/give', body);
	}
});

test('a repeated act never pays twice, also at once, with another path or body, or by somebody else', async () => {
	const username = 'repeated.one';
	const { browser, balances } = await start('repeated', username);
	await browser.change('/sub-users/create', { username });
	const body = { act: randomUUID(), username, amount: 100 };
	const answers = await Promise.all(Array.from({ length: 10 }, () => browser.ask('/sub-users/give', body)));
	const codes = answers.map(({ errorCode }) => errorCode ?? 'done').toSorted();
	assert.deepEqual(codes, [...Array(9).fill('act_repeated'), 'done']);
	for (const [path, more] of [
		['/sub-users/give', { amount: 5 }],
		['/sub-users/take', {}],
		['/sub-users/create', { username: 'other_one' }],
		['/sub-users/reset-key', {}],
		['/sub-users/show-key', {}],
		['/overview/low-balance', { low_balance: 5 }],
		['/token/end-all', {}],
	] as const) {
		await browser.refused('act_repeated', path, { ...body, ...more });
	}
	await bob.refused('act_repeated', '/sub-users/create', { act: body.act, username: 'other_one' });
	assert.deepEqual(await balances(), [890, 100]);
});

test('a shown key is an act first; the reseller shows its own key too', async () => {
	const username = 'shown.one';
	const { browser } = await start('shown', username);
	const { proxy_authkey } = await browser.change('/sub-users/create', { username });
	const shown = await browser.change('/sub-users/show-key', { username: 'Shown.One' });
	assert.deepEqual(shown, { username, proxy_authkey, ...PROXY });
	const own = await browser.change('/sub-users/show-key', { username: 'shown' });
	assert.equal(own.proxy_authkey, (await store.findAccount('shown', 'shown'))?.proxyAuthkey);
	const acts = async () =>
		(await browser.read('/account/acts')).acts.map(({ kind, target }) => `${kind} ${target}`).slice(0, 2);
	assert.deepEqual(await acts(), ['show_auth_key shown', `show_auth_key ${username}`]);
	faults.runPersonCommands = async () => ({ kind: 'not_done', cause: new Error('planted') });
	const refused = await browser.refused('unavailable', '/sub-users/show-key', { act: randomUUID(), username });
	assert.doesNotMatch(refused.text, new RegExp(proxy_authkey));
	delete faults.runPersonCommands;
	let reads = 0;
	faults.findAccount = async (...name) => {
		if (++reads > 1) throw new StoreUnavailableError('planted');
		return store.findAccount(...name);
	};
	await browser.refused('outcome_unknown', '/sub-users/show-key', { act: randomUUID(), username });
	delete faults.findAccount;
	assert.deepEqual(await acts(), [`show_auth_key ${username}`, 'show_auth_key shown']);
	const reset = await browser.change('/sub-users/reset-key', { username });
	assert.notEqual(reset.proxy_authkey, proxy_authkey);
	assert.equal((await store.findAccount('shown', username))?.proxyAuthkey, reset.proxy_authkey);
});

test('what the store could not do, or not show afterwards, is said: not done, or unknown', async () => {
	const username = 'failed.one';
	const { browser, balances } = await start('failed', username);
	await browser.change('/sub-users/create', { username });
	for (const [kind, code] of [
		['not_done', 'unavailable'],
		['outcome_unknown', 'outcome_unknown'],
	] as const) {
		faults.runCommands = async () => ({ kind, cause: new Error('planted') });
		for (const path of ['/sub-users/create', '/sub-users/give', '/sub-users/take', '/sub-users/reset-key']) {
			const body = { act: randomUUID(), username: path.endsWith('create') ? 'bobby' : username, amount: 1 };
			const { headers } = await browser.refused(code, path, body);
			assert.equal(headers.has('retry-after'), code === 'unavailable');
		}
	}
	delete faults.runCommands;
	assert.deepEqual(await balances(), [990, 0]);
	const body = { act: randomUUID(), username, amount: 5 };
	faults.findAccount = () => Promise.reject(new StoreUnavailableError('planted'));
	await browser.refused('outcome_unknown', '/sub-users/give', body);
	await browser.refused('unavailable', `/sub-user?username=${username}`);
	delete faults.findAccount;
	await browser.refused('act_repeated', '/sub-users/give', body);
	assert.deepEqual(await balances(), [985, 5]);
});

test('many keys are shown after a proof, to whom may see them, and only those of own sub-users; one act names all', async () => {
	const { browser } = await start('keys', 'first.key');
	const pairs: object[] = [];
	for (const username of ['first.key', 'second.key']) {
		const { proxy_authkey } = await browser.change('/sub-users/create', { username });
		pairs.push({ username, proxy_authkey });
	}
	const path = '/sub-users/show-keys';
	const usernames = ['First.Key', 'carol', 'nobody', 'second.key', 'first.key', 'keys', '.bad.'];
	const body = { act: randomUUID(), usernames };
	const viewer = await signedIn('vic@keys.example', 'keys', 'viewer');
	await viewer.refused('not_allowed', path, body);
	clock.aheadMs = 6 * 60_000;
	await browser.refused('proof_required', path, body);
	await browser.ok('/proof', { password: PASSWORD });
	const answer = await browser.ask(path, body);
	assert.deepEqual(JSON.parse(answer.text).data, { keys: pairs });
	assert.equal(answer.headers.get('cache-control'), 'no-store');
	await browser.refused('act_repeated', path, body);
	await browser.refused('unknown_sub_user', path, { act: randomUUID(), usernames: ['carol', 'nobody', 'keys'] });
	const tooMany = Array.from({ length: KEYS_AT_ONCE + 1 }, (_, index) => `user.${index}`);
	for (const each of [[], tooMany]) {
		await browser.refused('invalid_request', path, { act: randomUUID(), usernames: each });
	}
	const longest = tooMany.slice(1).map((name) => name.padEnd(USERNAME_MAX_LENGTH, 'x'));
	await browser.refused('unknown_sub_user', path, { act: randomUUID(), usernames: longest });
	const shown = (await browser.read('/account/acts')).acts.filter(({ kind }) => kind === 'show_auth_key');
	assert.deepEqual(
		shown.map(({ target }) => target),
		['first.key second.key'],
	);
});
