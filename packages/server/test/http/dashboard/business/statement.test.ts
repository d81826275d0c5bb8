import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Movement } from '@bursar/contract/dashboard';
import { resellerApi } from '@bursar/testing/api';
import { OPERATORS } from '../../../../src/store/reading.ts';
import { runAll } from '../../../store/suite/engine.ts';
import { creditReseller } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const STEP_MS = 2_000;
const GB = 1_000_000_000;

const { url, store, clock, faults, operator: newOperator, resellerWithPerson } = await startDashboard(wholeFile);
const operator = await newOperator();
const acme = await resellerWithPerson('acme');
const { browser: bob } = await resellerWithPerson('bolt');
await bob.change('/sub-users/create', { username: 'carol' });
const api = resellerApi(url, acme.token);
const payment = { reseller: 'acme', reference: 'INV-1', reason: 'November' };

// Movements of every kind by everybody who can make one, some seconds apart.
clock.stop();
const startedAtMs = clock.nowMs() + STEP_MS;
const at = (index: number) => new Date(startedAtMs + index * STEP_MS).toISOString();
for (const [index, step] of [
	() => acme.browser.change('/sub-users/create', { username: 'alice' }),
	() => acme.browser.change('/sub-users/give', { username: 'alice', amount: 300 }),
	() => api.create({ username: 'bobby' }),
	() => api.give({ username: 'bobby', amount_usd_cents: 50 }),
	() => acme.browser.change('/sub-users/take', { username: 'alice', amount: 100 }),
	() => operator.change('/operator/top-up', { ...payment, amount: 500 }),
	() => operator.change('/operator/adjust', { ...payment, reference: 'INV-2', reason: 'Twice', amount: 200 }),
].entries()) {
	clock.stoppedAtMs = startedAtMs + index * STEP_MS;
	await step();
}

async function use(username: string, bytesUp: number): Promise<string> {
	clock.stoppedAtMs = clock.nowMs() + STEP_MS;
	const report = { source: 's', id: randomUUID(), username, atMs: clock.nowMs(), bytesUp, bytesDown: 0 };
	assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
	return new Date(clock.nowMs()).toISOString();
}

test('a statement has every movement, who made it, and the running balance; operators have names only for operators', async () => {
	const ann = { kind: 'person', email: acme.email };
	const program = { kind: 'api', token_tail: acme.token.slice(-4), address: '127.0.0.1' };
	const none = { username: null, of: 'acme', usage: [], reference: '', reason: '', note: '', payment: null };
	const [back, paid] = [
		{ reference: 'INV-2', reason: 'Twice' },
		{ reference: 'INV-1', reason: 'November' },
	];
	const rows = [
		{ ...none, at: at(6), kind: 'adjustment', amount: -200, balance: 1030, by: 'op', ...back },
		{ ...none, at: at(5), kind: 'top_up', amount: 500, balance: 1230, by: 'op', ...paid },
		{ ...none, at: at(4), kind: 'take', username: 'alice', amount: 100, balance: 730, by: ann },
		{ ...none, at: at(3), kind: 'give', username: 'bobby', amount: -50, balance: 630, by: program },
		{ ...none, at: at(2), kind: 'create_fee', username: 'bobby', amount: -10, balance: 680, by: program },
		{ ...none, at: at(1), kind: 'give', username: 'alice', amount: -300, balance: 690, by: ann },
		{ ...none, at: at(0), kind: 'create_fee', username: 'alice', amount: -10, balance: 990, by: ann },
	];
	const plain = (movements: readonly Movement[]) => movements.slice(0, 7).map(({ number: _, ...rest }) => rest);
	const own = await acme.browser.read('/statement');
	const expected = (op: object) => rows.map((row) => ({ ...row, by: row.by === 'op' ? op : row.by }));
	assert.deepEqual(plain(own.movements), expected({ kind: 'person', email: null }));
	assert.deepEqual([own.next_before, own.searched_to], [null, null]);
	const opening = own.movements[7];
	assert.deepEqual(
		[own.movements.length, opening?.kind, opening?.amount, opening?.balance, opening?.by],
		[8, 'top_up', 1000, 1000, { kind: 'operator', system_user: null, operator_token: null }],
	);
	const theirs = await operator.read('/operator/statement', { reseller: 'ACME' });
	assert.deepEqual(plain(theirs.movements), expected({ kind: 'person', email: 'op@bursar.example' }));
	assert.doesNotMatch(JSON.stringify(own), /op@bursar|bolt|carol/);
	const between = await acme.browser.read('/statement', { kind: 'give', username: 'Bobby', from: at(2), to: at(6) });
	assert.deepEqual(
		between.movements.map((each) => each.at),
		[at(3)],
	);
	const [newest] = own.movements;
	const rest = await operator.read('/operator/statement', { reseller: 'acme', before: newest?.number ?? 0, to: at(2) });
	assert.deepEqual(
		rest.movements.slice(0, 2).map((each) => each.at),
		[at(1), at(0)],
	);
});

test('operators see which program of theirs has paid; the people of the reseller see the operator', async () => {
	const { browser } = await resellerWithPerson('credited');
	const program = { operatorToken: 'shop ...x4Kd', address: '192.0.2.9' };
	const act = { id: 'operator:paid', kind: 'top_up', target: 'credited 5', requestId: 'paid', ...program };
	await runAll(store, [{ ...creditReseller('credited', 5, 'INV-9'), requestId: 'paid', act }], clock.nowMs());
	const [own] = (await browser.read('/statement')).movements;
	assert.deepEqual(own?.by, { kind: 'operator', system_user: null, operator_token: null });
	const [theirs] = (await operator.read('/operator/statement', { reseller: 'credited' })).movements;
	assert.deepEqual(theirs?.by, { kind: 'operator', system_user: null, operator_token: 'shop ...x4Kd' });
	const query = { zone: 'UTC', reseller: 'credited' };
	assert.match(await (await operator.download('/operator/statement.csv', query)).text(), /"operator, shop \.\.\.x4Kd"/);
	assert.doesNotMatch(await (await browser.download('/statement.csv', { zone: 'UTC' })).text(), /shop/);
});

test('a line of bandwidth opens to its bytes, prices and times', async () => {
	const { browser } = await resellerWithPerson('charged');
	await browser.change('/sub-users/create', { username: 'daria' });
	await browser.change('/sub-users/give', { username: 'daria', amount: 200 });
	await operator.change('/operator/price', { reseller: 'charged', price: 1_000_000 });
	const first = await use('daria', GB);
	const own = await use('charged', GB);
	await operator.change('/operator/price', { reseller: 'charged', price: 3_000_000 });
	const second = await use('daria', GB);
	// Daria owes $4.00 and has $2.00. The reseller owes $1.00. To give settles both.
	await browser.change('/sub-users/give', { username: 'daria', amount: 50 });
	const usage = (await browser.read('/statement', { kind: 'usage' })).movements;
	const plain = usage.map(
		({ number: _, at: _at, reference: _r, reason: _reason, note: _note, payment: _p, ...rest }) => rest,
	);
	assert.deepEqual(plain, [
		{
			...{ kind: 'usage', username: 'daria', of: 'daria', amount: -200, balance: 0, by: { kind: 'service' } },
			usage: [
				{ bytes: GB, price: 1_000_000, since: first },
				{ bytes: GB, price: 3_000_000, since: second },
			],
		},
		{
			...{ kind: 'usage', username: null, of: 'charged', amount: -100, balance: 690, by: { kind: 'service' } },
			usage: [{ bytes: GB, price: 1_000_000, since: own }],
		},
	]);
	const query = { reseller: 'charged', kind: 'usage' } as const;
	assert.deepEqual((await operator.read('/operator/statement', query)).movements, usage);
	const file = await (await browser.download('/statement.csv', { zone: 'UTC', kind: 'usage' })).text();
	const lines = file.split('\r\n').slice(1, -1);
	assert.deepEqual(
		lines.map((line) => line.split(',').slice(2).join()),
		[
			`usage,,-1.00,6.90,service,,,charged,${GB},1.00,,,`,
			`usage,daria,-2.00,0.00,service,,,daria,${2 * GB},1.00 and 3.00,,,`,
		],
	);
});

test('a statement about one sub-user has its side; the lines of a period are those of the reseller, the oldest first', async () => {
	await operator.change('/operator/price', { reseller: 'acme', price: 1_000_000 });
	await use('alice', GB / 2);
	await acme.browser.change('/sub-users/take', { username: 'alice', amount: 30 });
	const { movements } = await acme.browser.read('/statement', { username: 'Alice' });
	assert.deepEqual(
		movements.map(({ kind, username, of, amount, balance }) => [kind, username, of, amount, balance]),
		[
			['take', 'alice', 'alice', -30, 120],
			['usage', 'alice', 'alice', -50, 150],
			['take', 'alice', 'alice', -100, 200],
			['give', 'alice', 'alice', 300, 300],
			// The reseller paid it.
			['create_fee', 'alice', 'acme', -10, 990],
		],
	);
	const toOperator = await operator.read('/operator/statement', { reseller: 'acme', username: 'alice' });
	const sides = (of: readonly Movement[]) => of.map(({ by: _, ...rest }) => rest);
	assert.deepEqual(sides(toOperator.movements), sides(movements));
	const query = { zone: 'UTC', username: 'alice' };
	const files = [
		await acme.browser.download('/statement.csv', query),
		await operator.download('/operator/statement.csv', { ...query, reseller: 'acme' }),
	];
	for (const file of files) {
		const lines = (await file.text()).split('\r\n').slice(1, -1);
		assert.deepEqual(
			lines.map((line) => line.split(',')).map((cells) => [cells[2], cells[4], cells[5], cells[9]]),
			[
				['create_fee', '-0.10', '9.90', 'acme'],
				['give', '3.00', '3.00', 'alice'],
				['take', '-1.00', '2.00', 'alice'],
				['usage', '-0.50', '1.50', 'alice'],
				['take', '-0.30', '1.20', 'alice'],
			],
		);
	}

	const bounds = `${at(3)},2100-01-01T00:00:00.000Z`;
	const [period] = (await acme.browser.read('/statement/periods', { bounds })).periods;
	const { first = 0, end = 0, opening, closing } = period?.summary ?? {};
	const oldest = (await acme.browser.read('/statement')).movements.at(-1);
	const read = await operator.read('/operator/statement/periods', { reseller: 'acme', bounds });
	assert.deepEqual([read.begun, read.not_posted, read.periods], [oldest?.at, 0, [period]]);
	await acme.browser.refused('unknown_sub_user', `/statement/periods?bounds=${bounds}&username=carol`);
	await operator.refused('unknown_reseller', `/operator/statement/periods?bounds=${bounds}&reseller=alice`);
	assert.deepEqual(
		period?.summary?.totals.filter(({ kind }) => kind === 'usage'),
		[{ kind: 'usage', of: 'sub_users', count: 1, amount: -50 }],
	);
	const span = { from: first, before: end };
	const { movements: lines, next_from } = await acme.browser.read('/statement/lines', span);
	assert.deepEqual(
		lines.map(({ kind, amount, balance }) => [kind, amount, balance]),
		[
			['give', -50, 630],
			['take', 100, 730],
			['top_up', 500, 1230],
			['adjustment', -200, 1030],
			['take', 30, 1060],
		],
	);
	assert.deepEqual([next_from, opening, closing], [null, 680, 1060]);
	const theirs = await operator.read('/operator/statement/lines', { reseller: 'acme', ...span });
	assert.equal(theirs.movements.length, 5);
	assert.deepEqual((await acme.browser.read('/statement/lines', { from: end, before: end + 9 })).movements, []);
});

test('a search that has looked at much without finding says how far it has looked, and goes on', async () => {
	const searchedToMs = Date.UTC(2026, 4, 3);
	const limits: number[] = [];
	faults.listMovements = async ({ before, limit }) => {
		limits.push(limit);
		return { rows: [], nextBefore: before > 5 ? 5 : null, searchedToMs };
	};
	assert.deepEqual(await acme.browser.read('/statement', { username: 'alice' }), {
		today: null,
		movements: [],
		next_before: 5,
		searched_to: '2026-05-03T00:00:00.000Z',
	});
	assert.deepEqual(await acme.browser.read('/statement', { username: 'alice', before: 5 }), {
		today: null,
		movements: [],
		next_before: null,
		searched_to: null,
	});
	assert.deepEqual(limits, [50, 50], 'a page has 50 movements');
	delete faults.listMovements;
});

test('operators name resellers that exist; sub-users of others are unknown in their statements', async () => {
	for (const reseller of ['nobody', 'alice', '', '<script>']) {
		const name = encodeURIComponent(reseller);
		await operator.refused('unknown_reseller', `/operator/statement?reseller=${name}`);
		await operator.refused('unknown_reseller', `/operator/statement.csv?zone=UTC&reseller=${name}`);
		await operator.refused('unknown_reseller', `/operator/reseller?reseller=${name}`);
		for (const path of ['/operator/top-up', '/operator/adjust', '/operator/end-tokens', '/operator/people/invite']) {
			const body = { amount: 1, reference: randomUUID(), reason: 'why', email: 'x@y.example', role: 'owner' };
			await operator.refused('unknown_reseller', path, { act: randomUUID(), reseller, ...body });
		}
	}
	await operator.refused('unknown_sub_user', '/operator/statement?reseller=acme&username=carol');
	await operator.refused('unknown_sub_user', '/operator/statement.csv?zone=UTC&reseller=acme&username=acme');
});

test('reads of operators about a reseller wait in the line of operators, and those of its people in its own', async () => {
	let owners: (string | undefined)[] = [];
	faults.findAccount = async (reseller, username, owner = reseller) => {
		owners.push(owner);
		return store.findAccount(reseller, username, owner);
	};
	faults.listMovements = async (query) => {
		owners.push(query.owner ?? query.reseller);
		return store.listMovements(query);
	};
	faults.listTokens = async (reseller, owner = reseller) => {
		owners.push(owner);
		return store.listTokens(reseller, owner);
	};
	await operator.read('/operator/statement', { reseller: 'acme', username: 'alice' });
	await operator.read('/operator/reseller', { reseller: 'acme' });
	await operator.change('/operator/top-up', { reseller: 'acme', amount: 1, reference: 'INV-3', reason: '' });
	await operator.change('/operator/end-tokens', { reseller: 'acme' });
	assert.ok(owners.length >= 8);
	assert.deepEqual([...new Set(owners)], [OPERATORS]);
	owners = [];
	await acme.browser.read('/statement', { username: 'alice' });
	await acme.browser.read('/token');
	assert.deepEqual([...new Set(owners)], ['acme']);
});
