import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import type { Command } from '../../../../src/commands/registry.ts';
import { StoreUnavailableError } from '../../../../src/store/reading.ts';
import { createReseller, setPrice } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const OP = 'op@bursar.example';

const dashboard = await startDashboard(wholeFile);
const { url, store, clock, faults, openReseller, signedIn, resellerWithPerson } = dashboard;
const operator = await dashboard.operator(OP);

async function run(commands: readonly Command[]): Promise<void> {
	assert.equal((await store.runCommands(commands, clock.nowMs())).kind, 'committed');
}

async function balance(reseller: string) {
	return (await store.findAccount(reseller, reseller))?.balanceCents;
}

test('operators list resellers by name, in pages of 50, and search by the beginning', async () => {
	const names = Array.from({ length: 60 }, (_, index) => `shop_${String(index).padStart(2, '0')}`);
	await run(names.map((name) => createReseller(name, 7)));
	const { token } = await openReseller('acme', 5);
	assert.equal((await resellerApi(url, token).myInfo()).status, 200);
	const first = await operator.read('/operator/resellers');
	assert.deepEqual(
		first.resellers.map(({ reseller }) => reseller),
		['acme', ...names.slice(0, 49)],
	);
	const fields = [
		'reseller',
		'balance',
		'debt',
		'debt_line',
		'month_bytes',
		'day_bytes',
		'refused',
		'price',
		'suspended',
		'created',
		'last_used',
	];
	assert.deepEqual(Object.keys(first.resellers[0] ?? {}), fields);
	assert.deepEqual([first.resellers[0]?.balance, first.previous, first.next], [5, null, 'shop_48']);
	const second = await operator.read('/operator/resellers', { after: 'shop_48' });
	assert.deepEqual([second.resellers.length, second.next, second.previous], [11, null, 'shop_49']);
	assert.deepEqual(await operator.read('/operator/resellers', { before: 'shop_49' }), first);
	const richest = await operator.read('/operator/resellers', { order: '-balance' });
	assert.equal(richest.resellers.at(-1)?.balance, 7);
	assert.equal((await operator.read('/operator/resellers', { order: '-last_used' })).resellers.length, 50);
	assert.equal((await operator.read('/operator/resellers', { search: 'SHOP_1' })).resellers.length, 10);
	for (const search of ['%', '_', '<script>', '\u0000', 'x'.repeat(9000)]) {
		const found = await operator.read('/operator/resellers', { search });
		assert.deepEqual(found, { resellers: [], next: null, previous: null });
	}
});

test('a new reseller has a token that is shown once, an opening balance, and nobody yet', async () => {
	const path = '/operator/resellers/create';
	const { token, details } = await operator.change(path, { reseller: 'Made', opening_balance: 500 });
	const { created, tokens, ...rest } = details;
	assert.deepEqual(rest, {
		...{
			reseller: 'made',
			balance: 500,
			debt: 0,
			debt_line: 500,
			prices: [],
			suspended: null,
			sign_in_by_address: false,
			note: '',
			people: [],
		},
		...{ largest_top_up: null, pair: 'active' },
	});
	assert.deepEqual([tokens.current.tail, tokens.current.made_by, tokens.previous], [token.slice(-4), 'operator', null]);
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 500);
	const shown = await operator.read('/operator/reseller', { reseller: 'made' });
	assert.deepEqual([shown.reseller, shown.created, shown.tokens.current.tail], ['made', created, token.slice(-4)]);
	assert.doesNotMatch(JSON.stringify(shown), new RegExp(token));
	for (const [reseller, opening_balance, code] of [
		['made', 0, 'username_taken'],
		['<script>', 0, 'invalid_username'],
		['bolt', 0.5, 'invalid_amount'],
	] as const) {
		await operator.refused(code, path, { act: randomUUID(), reseller, opening_balance });
	}
	// A token that was made is shown, although the store cannot be read.
	faults.listTokens = () => Promise.reject(new StoreUnavailableError('planted'));
	const act = randomUUID();
	const kept = await operator.ok(path, { act, reseller: 'kept', opening_balance: 0 });
	assert.deepEqual([kept.details.reseller, kept.details.tokens.current.tail], ['kept', kept.token.slice(-4)]);
	delete faults.listTokens;
	assert.equal((await resellerApi(url, kept.token).myInfo()).data.balance, 0);
	await operator.refused('act_repeated', path, { act, reseller: 'core', opening_balance: 0 });
	assert.equal(await store.findAccount('core', 'core'), undefined);
});

test('a payment counts once: by its reference and by its act; the largest top-up is that of the reseller alone', async () => {
	await openReseller('paid', 100);
	await openReseller('other', 100);
	const payment = { reseller: 'paid', amount: 50, reference: 'INV-1', reason: 'November' };
	const paid = await operator.change('/operator/top-up', payment);
	assert.deepEqual([paid.repeated, paid.details.reseller, paid.details.balance], [false, 'paid', 150]);
	const repeat = await operator.change('/operator/top-up', payment);
	assert.deepEqual([repeat.repeated, repeat.details.balance], [true, 150]);
	const { acts } = await operator.read('/operator/acts');
	assert.equal(acts.filter(({ kind }) => kind === 'top_up').length, 1, 'the repeat was not done');
	const refused = (code: Parameters<typeof operator.refused>[0], path: string, change: object) =>
		operator.refused(code, path, { ...payment, act: randomUUID(), ...change });
	await refused('reference_conflict', '/operator/top-up', { amount: 51 });
	const act = randomUUID();
	const second = { ...payment, act, reference: 'INV-2' };
	const answers = await Promise.all(Array.from({ length: 5 }, () => operator.ask('/operator/top-up', second)));
	assert.equal(answers.filter(({ status }) => status === 200).length, 1);
	await refused('act_repeated', '/operator/adjust', { act, reference: 'INV-3' });
	assert.equal((await operator.change('/operator/adjust', { ...payment, reference: 'INV-3' })).details.balance, 150);
	await refused('insufficient_balance', '/operator/adjust', { amount: 151, reference: 'INV-4' });
	await refused('balance_limit', '/operator/top-up', { amount: Number.MAX_SAFE_INTEGER, reference: 'INV-5' });
	for (const path of ['/operator/top-up', '/operator/adjust']) {
		await refused('invalid_amount', path, { amount: 0.5, reference: 'INV-6' });
		await refused('invalid_reference', path, { reference: 'a\u0000b' });
		await refused('invalid_reason', path, { reference: 'INV-6', reason: '\u202ereason' });
	}
	await refused('invalid_reason', '/operator/adjust', { reference: 'INV-6', reason: '' });
	await operator.change('/operator/top-up', { ...payment, reseller: 'other', amount: 7000, reference: 'OTHER' });
	assert.equal((await operator.read('/operator/reseller', { reseller: 'paid' })).largest_top_up, 50);
	for (const text of [
		'<script>alert(1)</script>',
		'=HYPERLINK("http://x")',
		"'; DROP TABLE acts; --",
		'Überweisung 日本',
	]) {
		await operator.change('/operator/top-up', { ...payment, amount: 1, reference: text, reason: text });
		const [newest] = (await operator.read('/operator/statement', { reseller: 'paid' })).movements;
		assert.deepEqual([newest?.reference, newest?.reason], [text, text]);
	}
	assert.deepEqual([await balance('paid'), await balance('other')], [154, 7100]);
});

test('a price counts from then on, once for its act, and its history says who set it', async () => {
	const { browser: ann } = await resellerWithPerson('priced');
	const act = randomUUID();
	const first = await operator.ok('/operator/price', { act, reseller: 'PRICED', price: 3_500_001 });
	const historyOf = ({ prices }: typeof first) => prices.map(({ price, by }) => [price, by]);
	assert.deepEqual(historyOf(first), [[3_500_001, OP]]);
	await operator.refused('act_repeated', '/operator/price', { act, reseller: 'priced', price: 1 });
	assert.equal((await ann.read('/overview')).price, 3_500_001);
	await run([setPrice('priced', 1)]);
	assert.deepEqual(historyOf(await operator.change('/operator/price', { reseller: 'priced', price: null })), [
		[null, OP],
		[1, null],
		[3_500_001, OP],
	]);
	await operator.refused('invalid_price', '/operator/price', { act: randomUUID(), reseller: 'priced', price: 0.5 });
	await operator.change('/operator/price', { reseller: 'priced', price: 1_000_000_000 });
	const { resellers } = await operator.read('/operator/resellers', { search: 'priced' });
	assert.equal(resellers[0]?.price, 1_000_000_000);
	const { acts } = await operator.read('/operator/acts', { kind: 'set_price' });
	assert.deepEqual(
		acts.map(({ target }) => target),
		['priced 1000.00', 'priced off', 'priced 3.500001'],
	);
});

test('ended tokens are refused at once, and the new one is shown once', async () => {
	const { token } = await openReseller('replaced', 100);
	const ann = await signedIn('ann@replaced.example', 'replaced');
	const api = resellerApi(url, token);
	assert.equal((await api.myInfo()).status, 200);
	const made = await operator.change('/operator/end-tokens', { reseller: 'replaced' });
	const shown = JSON.stringify(await ann.read('/token'));
	assert.doesNotMatch(shown, new RegExp(OP), 'resellers do not learn the addresses of operators');
	assert.equal((await api.myInfo()).status, 401);
	assert.equal((await resellerApi(url, made.token).myInfo()).status, 200);
	assert.deepEqual([made.details.tokens.current.made_by, made.details.tokens.previous], ['operator', null]);
	const [person] = made.details.people;
	const { email, state, second_factor, last_seen } = person ?? assert.fail('nobody is shown');
	assert.deepEqual([email, state, second_factor], ['ann@replaced.example', 'active', false]);
	assert.ok(last_seen);
});

test('an operator suspends a reseller once for its act; its people learn it, read everything, and are refused', async () => {
	const { browser: ann } = await resellerWithPerson('stopped');
	await ann.change('/sub-users/create', { username: 'alice' });
	assert.deepEqual(await ann.read('/suspension'), { since: null });
	const act = randomUUID();
	const { suspended } = await operator.ok('/operator/suspend', { act, reseller: 'STOPPED' });
	await operator.refused('act_repeated', '/operator/resume', { act, reseller: 'stopped' });
	assert.deepEqual(await ann.read('/suspension'), { since: suspended });
	// Set again, it stays as it was. It is recorded all the same: a late copy must not set it once more.
	assert.equal((await operator.change('/operator/suspend', { reseller: 'stopped' })).suspended, suspended);
	assert.equal((await operator.read('/operator/reseller', { reseller: 'stopped' })).suspended, suspended);
	const { resellers } = await operator.read('/operator/resellers', { search: 'stopped' });
	assert.equal(resellers[0]?.suspended, suspended);

	await ann.refused('suspended', '/sub-users/create', { act: randomUUID(), username: 'bruno' });
	await ann.refused('suspended', '/sub-users/note', { act: randomUUID(), username: 'alice', note: 'n' });
	assert.deepEqual([(await ann.read('/overview')).balance, (await ann.read('/sub-users')).sub_users.length], [990, 1]);
	await ann.change('/sub-users/show-key', { username: 'alice' });
	await ann.change('/overview/low-balance', { low_balance: 5 });
	const { token } = await ann.change('/token/rotate', { overlap_seconds: 0 });
	assert.equal((await resellerApi(url, token).myInfo()).status, 200, 'a token that leaked can be replaced');

	faults.findOwnTerms = () => Promise.reject(new StoreUnavailableError('planted'));
	await operator.refused('outcome_unknown', '/operator/resume', { act: randomUUID(), reseller: 'stopped' });
	delete faults.findOwnTerms;
	assert.deepEqual(await ann.read('/suspension'), { since: null }, 'it was done');
	await ann.change('/sub-users/create', { username: 'bruno' });
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual(
		acts
			.filter(({ kind }) => kind.endsWith('_reseller') && kind !== 'create_reseller')
			.map(({ kind, target, email, reseller }) => [kind, target, email, reseller]),
		[
			['resume_reseller', 'stopped', OP, 'stopped'],
			['suspend_reseller', 'stopped', OP, 'stopped'],
			['suspend_reseller', 'stopped', OP, 'stopped'],
		],
	);
	for (const reseller of ['alice', 'nobody', '<script>', 'x'.repeat(9000)]) {
		await operator.refused('unknown_reseller', '/operator/suspend', { act: randomUUID(), reseller });
	}
});
