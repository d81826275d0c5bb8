import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { StoreUnavailableError } from '../../../../src/store/store.ts';
import { setPrice } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const OP = 'op@bursar.example';

async function start(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	const operator = await dashboard.operator(OP);
	const balance = async (reseller: string) => (await dashboard.store.findAccount(reseller, reseller))?.balanceCents;
	return { ...dashboard, operator, balance };
}

test('operators list resellers by name, in pages of 50, and search by the beginning', async (t) => {
	const { operator, openReseller, url } = await start(t);
	const names = Array.from({ length: 60 }, (_, index) => `shop_${String(index).padStart(2, '0')}`);
	for (const name of names) await openReseller(name, 7);
	const { token } = await openReseller('acme', 5);
	assert.equal((await resellerApi(url, token).myInfo()).status, 200);
	const first = await operator.read('/operator/resellers');
	assert.deepEqual(
		first.resellers.map(({ reseller }) => reseller),
		['acme', ...names.slice(0, 49)],
	);
	assert.deepEqual(Object.keys(first.resellers[0] ?? {}), [
		'reseller',
		'balance',
		'debt',
		'price',
		'suspended',
		'created',
		'last_used',
	]);
	assert.deepEqual([first.resellers[0]?.balance, first.previous, first.next], [5, null, 'shop_48']);
	const second = await operator.read('/operator/resellers', { after: 'shop_48' });
	assert.deepEqual([second.resellers.length, second.next, second.previous], [11, null, 'shop_49']);
	const back = await operator.read('/operator/resellers', { before: 'shop_49' });
	assert.deepEqual(back, first);
	const richest = await operator.read('/operator/resellers', { order: '-balance' });
	assert.equal(richest.resellers.at(-1)?.balance, 7);
	const used = await operator.read('/operator/resellers', { order: '-last_used' });
	assert.equal(used.resellers.length, 50);
	const found = await operator.read('/operator/resellers', { search: 'SHOP_1' });
	assert.equal(found.resellers.length, 10);
	for (const search of ['%', '_', '<script>', '=1', '\u0000', '\u202eshop', 'x'.repeat(9000)]) {
		assert.deepEqual(await operator.read('/operator/resellers', { search }), {
			resellers: [],
			next: null,
			previous: null,
		});
	}
});

test('a new reseller has a token that is shown once, an opening balance, and nobody yet', async (t) => {
	const { operator, url, store, faults } = await start(t);
	const made = await operator.change('/operator/resellers/create', { reseller: 'Acme', opening_balance: 500 });
	const { token, details } = made;
	const { created, tokens, ...rest } = details;
	assert.deepEqual(rest, {
		...{ reseller: 'acme', balance: 500, debt: 0, debt_line: 500, prices: [], suspended: null, people: [] },
		largest_top_up: null,
		pair: 'active',
	});
	assert.deepEqual([tokens.current.tail, tokens.current.made_by, tokens.previous], [token.slice(-4), 'operator', null]);
	assert.equal((await resellerApi(url, token).myInfo()).data.balance, 500);
	const shown = await operator.read('/operator/reseller', { reseller: 'acme' });
	assert.deepEqual([shown.reseller, shown.created, shown.tokens.current.tail], ['acme', created, token.slice(-4)]);
	assert.doesNotMatch(JSON.stringify(shown), new RegExp(token));
	const act = randomUUID();
	for (const [reseller, opening_balance, code] of [
		['acme', 0, 'username_taken'],
		['', 0, 'invalid_username'],
		['<script>', 0, 'invalid_username'],
		['\u202ebolt', 0, 'invalid_username'],
		['bolt', -1, 'invalid_amount'],
		['bolt', 0.5, 'invalid_amount'],
		['bolt', 2 ** 53, 'invalid_amount'],
	] as const) {
		await operator.refused(code, '/operator/resellers/create', { act: randomUUID(), reseller, opening_balance });
	}
	faults.listTokens = () => Promise.reject(new StoreUnavailableError('planted'));
	const kept = await operator.ok('/operator/resellers/create', { act, reseller: 'bolt', opening_balance: 0 });
	assert.deepEqual([kept.details.reseller, kept.details.tokens.current.tail], ['bolt', kept.token.slice(-4)]);
	delete faults.listTokens;
	assert.equal((await resellerApi(url, kept.token).myInfo()).data.balance, 0);
	await operator.refused('act_repeated', '/operator/resellers/create', { act, reseller: 'core', opening_balance: 0 });
	assert.equal(await store.findAccount('core', 'core'), undefined);
});

test('the largest top-up is that of the reseller alone, and what was taken back is none', async (t) => {
	const { operator, openReseller } = await start(t);
	await openReseller('acme', 9000);
	await openReseller('bolt', 100);
	const largest = async () => (await operator.read('/operator/reseller', { reseller: 'acme' })).largest_top_up;
	const payment = { reseller: 'acme', amount: 5000, reference: 'BACK', reason: 'Wrong' };
	assert.equal((await operator.change('/operator/adjust', payment)).details.largest_top_up, null);
	await operator.change('/operator/top-up', { ...payment, reseller: 'bolt', amount: 7000, reference: 'OTHER' });
	assert.equal(await largest(), null);
	for (const [amount, reference] of [
		[50, 'INV-1'],
		[70, 'INV-2'],
		[60, 'INV-3'],
	] as const) {
		await operator.change('/operator/top-up', { ...payment, amount, reference });
	}
	assert.equal(await largest(), 70);
});

test('a payment counts once: by its reference and by its act', async (t) => {
	const { operator, openReseller, balance } = await start(t);
	await openReseller('acme', 100);
	await openReseller('bolt', 100);
	const payment = { reseller: 'acme', amount: 50, reference: 'INV-1', reason: 'November' };
	const paid = await operator.change('/operator/top-up', payment);
	assert.deepEqual([paid.repeated, paid.details.reseller, paid.details.balance], [false, 'acme', 150]);
	const repeat = await operator.change('/operator/top-up', payment);
	assert.deepEqual([repeat.repeated, repeat.details.balance], [true, 150]);
	const { acts } = await operator.read('/operator/acts');
	assert.equal(acts.filter(({ kind }) => kind === 'top_up').length, 1, 'the repeat was not done');
	for (const [path, change] of [
		['/operator/top-up', { reseller: 'bolt' }],
		['/operator/top-up', { amount: 51 }],
		['/operator/adjust', {}],
	] as const) {
		await operator.refused('reference_conflict', path, { act: randomUUID(), ...payment, ...change });
	}
	const act = randomUUID();
	const other = { ...payment, act, reference: 'INV-2' };
	const answers = await Promise.all(Array.from({ length: 5 }, () => operator.ask('/operator/top-up', other)));
	assert.equal(answers.filter(({ status }) => status === 200).length, 1);
	await operator.refused('act_repeated', '/operator/adjust', { ...other, reference: 'INV-3' });
	assert.equal(await balance('acme'), 200);
	assert.equal((await operator.change('/operator/adjust', { ...payment, reference: 'INV-3' })).details.balance, 150);
	await operator.refused('insufficient_balance', '/operator/adjust', {
		...payment,
		act: randomUUID(),
		amount: 151,
		reference: 'INV-4',
	});
	await operator.refused('balance_limit', '/operator/top-up', {
		...payment,
		act: randomUUID(),
		amount: Number.MAX_SAFE_INTEGER,
		reference: 'INV-5',
	});
	assert.deepEqual([await balance('acme'), await balance('bolt')], [150, 100]);
});

test('a price counts from then on, once for its act, and its history says who set it', async (t) => {
	const { operator, openReseller, signedIn, store, clock } = await start(t);
	await openReseller('acme', 100);
	await openReseller('bolt', 100);
	const ann = await signedIn('ann@acme.example', 'acme');
	const act = randomUUID();
	const first = await operator.ok('/operator/price', { act, reseller: 'ACME', price: 3_500_001 });
	assert.deepEqual(
		first.prices.map(({ price, by }) => [price, by]),
		[[3_500_001, OP]],
	);
	await operator.refused('act_repeated', '/operator/price', { act, reseller: 'acme', price: 1 });
	assert.equal((await ann.read('/overview')).price, 3_500_001);
	assert.equal((await store.runCommands([setPrice('acme', 1)], clock.nowMs())).kind, 'committed');
	const { prices } = await operator.change('/operator/price', { reseller: 'acme', price: null });
	assert.deepEqual(
		prices.map(({ price, by }) => [price, by]),
		[
			[null, OP],
			[1, null],
			[3_500_001, OP],
		],
	);
	for (const price of [0, -1, 0.5, 1_000_000_001, 2 ** 53]) {
		await operator.refused('invalid_price', '/operator/price', { act: randomUUID(), reseller: 'acme', price });
	}
	await operator.change('/operator/price', { reseller: 'acme', price: 1_000_000_000 });
	const { resellers } = await operator.read('/operator/resellers');
	assert.deepEqual(
		resellers.map(({ reseller, price }) => [reseller, price]),
		[
			['acme', 1_000_000_000],
			['bolt', null],
		],
	);
	const { acts } = await operator.read('/operator/acts');
	assert.deepEqual(
		acts.filter(({ kind }) => kind === 'set_price').map(({ target }) => target),
		['acme 1000.00', 'acme off', 'acme 3.500001'],
	);
});

test('hostile amounts, references and reasons are refused, and what is harmless comes back as it was', async (t) => {
	const { operator, openReseller, balance } = await start(t);
	await openReseller('acme', 100);
	const payment = { reseller: 'acme', amount: 1, reference: 'INV-1', reason: '' };
	for (const path of ['/operator/top-up', '/operator/adjust']) {
		for (const amount of [0, -1, 0.5, 2 ** 53, -(2 ** 53), 1e300]) {
			await operator.refused('invalid_amount', path, { ...payment, act: randomUUID(), amount });
		}
		for (const reference of [
			'',
			' ',
			' a',
			'a  b',
			'a\u0000b',
			'a\nb',
			'\u202eINV',
			'\u200bINV',
			'ﬁ',
			'x'.repeat(201),
			'x'.repeat(14_000),
		]) {
			await operator.refused('invalid_reference', path, { ...payment, act: randomUUID(), reference });
		}
		for (const reason of ['a\u0000b', 'a\nb', '\u202ereason', 'x'.repeat(201), '\u2028', '\ud800']) {
			await operator.refused('invalid_reason', path, { ...payment, act: randomUUID(), reason });
		}
	}
	for (const reason of ['', '  ', '\u200d']) {
		await operator.refused('invalid_reason', '/operator/adjust', { ...payment, act: randomUUID(), reason });
	}
	assert.equal(await balance('acme'), 100);
	for (const text of [
		'<script>alert(1)</script>',
		'=HYPERLINK("http://x")',
		'+1+1',
		'@SUM(A1)',
		"'; DROP TABLE acts; --",
		'Überweisung 日本',
	]) {
		await operator.change('/operator/top-up', { ...payment, reference: text, reason: text });
		const [newest] = (await operator.read('/operator/statement', { reseller: 'acme' })).movements;
		assert.deepEqual([newest?.reference, newest?.reason], [text, text]);
	}
});

test('ended tokens are refused at once, and the new one is shown once', async (t) => {
	const { operator, openReseller, signedIn, url } = await start(t);
	const { token } = await openReseller('acme', 100);
	const ann = await signedIn('ann@acme.example', 'acme');
	const api = resellerApi(url, token);
	assert.equal((await api.myInfo()).status, 200);
	const made = await operator.change('/operator/end-tokens', { reseller: 'acme' });
	const shown = JSON.stringify(await ann.read('/token'));
	assert.doesNotMatch(shown, new RegExp(OP), 'resellers do not learn the addresses of operators');
	assert.equal((await api.myInfo()).status, 401);
	assert.equal((await resellerApi(url, made.token).myInfo()).status, 200);
	assert.deepEqual([made.details.tokens.current.made_by, made.details.tokens.previous], ['operator', null]);
	const [person] = made.details.people;
	assert.deepEqual([person?.email, person?.state, person?.second_factor], ['ann@acme.example', 'active', false]);
	assert.ok(person?.last_seen);
});
