import assert from 'node:assert/strict';
import { test } from 'node:test';
import { successEnvelope } from '@bursar/contract';
import { StatementRewoundError, UnexpectedAnswerError } from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
	const list: Item[] = [];
	for await (const item of items) list.push(item);
	return list;
}

const pageOf = (next: string | null) => () => Response.json(successEnvelope({ sub_users: [], next }, Date.now()));

test('sub-users come in the order of their names over all pages, by prefix and by state', async (t) => {
	const { reliable, unreliable } = await serveReseller(t);
	assert.deepEqual(await all(reliable.subUsers.list()), []);
	for (const name of ['team.c', 'team.a', 'other', 'team.b', 'team.d']) await reliable.subUsers.create(name);
	await reliable.subUsers.suspend('team.b');
	const { client, way } = unreliable({ view_page: ['never_arrives', 'answer_lost'] });
	const listed = await all(client.subUsers.list({ pageRows: 2 }));
	assert.deepEqual(
		listed.map(({ username, state }) => [username, state]),
		[
			['other', 'active'],
			['team.a', 'active'],
			['team.b', 'suspended'],
			['team.c', 'active'],
			['team.d', 'active'],
		],
	);
	const page = await client.subUsers.list({ pageRows: 2 }).page();
	assert.deepEqual(page.items, listed.slice(0, 2));
	const rest = await all(client.subUsers.list({ pageRows: 2, after: page.next ?? assert.fail() }));
	assert.deepEqual(rest, listed.slice(2));
	assert.equal((await client.subUsers.list().page()).next, undefined);
	const { state: _, ...other } = listed[0] ?? assert.fail();
	assert.deepEqual(other, await reliable.subUsers.retrieve('other'));
	assert.ok(way.asked.length >= 5, 'it read pages, and repeated those that were lost');
	const names = async (options: Parameters<typeof client.subUsers.list>[0]) =>
		(await all(client.subUsers.list(options))).map(({ username }) => username);
	assert.deepEqual(await names({ prefix: 'TEAM.', state: 'active', pageRows: 1 }), ['team.a', 'team.c', 'team.d']);
	assert.deepEqual(await names({ state: 'expired' }), []);
});

test('a page is asked for only when it is needed', async (t) => {
	const { reliable, unreliable } = await serveReseller(t);
	for (const name of ['alice', 'bruno', 'chiara']) await reliable.subUsers.create(name);
	const { client, way } = unreliable({});
	for await (const { username } of client.subUsers.list({ pageRows: 1 })) if (username === 'bruno') break;
	assert.deepEqual(way.asked, ['view_page', 'view_page']);
});

test('an empty page that has a next one is not the end, and a list that goes in circles is', async (t) => {
	const { unreliable } = await serveAlice(t);
	const { client, way } = unreliable({ view_page: [pageOf('aaaa'), pageOf('aaab')] });
	assert.deepEqual((await all(client.subUsers.list())).length, 1);
	assert.equal(way.asked.length, 3);
	const circle = unreliable({ view_page: [pageOf('aaaa'), pageOf('aaaa')] });
	await assert.rejects(all(circle.client.subUsers.list()), UnexpectedAnswerError);
});

test('movements come newest first, with both balances, within the days that were asked for', async (t) => {
	const { reliable } = await serveAlice(t);
	const { requestId } = await reliable.subUsers.give('alice', 250);
	await reliable.subUsers.take('alice', 50);
	const movements = await all(reliable.statement.list({ pageRows: 1 }));
	assert.deepEqual(
		movements.map(({ kind, username, amountCents, balanceCents, subUserBalanceCents }) => [
			kind,
			username,
			amountCents,
			balanceCents,
			subUserBalanceCents,
		]),
		[
			['take', 'alice', 50, 9_790, 200],
			['give', 'alice', 250, 9_740, 250],
			['create_fee', 'alice', 10, 9_990, undefined],
			['top_up', undefined, 10_000, 10_000, undefined],
		],
	);
	const give = movements[1] ?? assert.fail();
	assert.equal(give.requestId, requestId);
	const count = async (options: Parameters<typeof reliable.statement.list>[0]) =>
		(await all(reliable.statement.list(options))).length;
	const oldest = movements.at(-1)?.movedAt ?? assert.fail();
	assert.equal(await count({ from: oldest, to: new Date() }), 4);
	assert.equal(await count({ to: new Date(oldest.getTime() - 86_400_000) }), 0);
});

test('a give and a take have their reference, also if their answers are lost, and the statement finds them', async (t) => {
	const { reliable, unreliable } = await serveAlice(t);
	const { client } = unreliable({ give_balance: ['answer_lost'], take_balance: ['never_arrives'] });
	await client.subUsers.give('alice', 250, { reference: 'order-1', changeId: 'give-of-order-0001' });
	await client.subUsers.give('alice', 1, { reference: 'order-2' });
	await client.subUsers.take('alice', 50, { reference: 'order-1' });
	const found = await all(reliable.statement.list({ reference: 'order-1', order: 'oldest' }));
	assert.deepEqual(
		found.map(({ id, kind, changeId, reference }) => [id, kind, changeId === 'give-of-order-0001', reference]),
		[
			[3, 'give', true, 'order-1'],
			[5, 'take', false, 'order-1'],
		],
	);
	for (const reference of ['', 'two words', 'ü', 'x'.repeat(129), 5]) {
		await assert.rejects(client.subUsers.give('alice', 1, { reference } as never), TypeError);
		assert.throws(() => client.statement.list({ reference } as never), TypeError);
	}
	assert.throws(() => client.statement.list({ order: 'first' } as never), TypeError);
	await assert.rejects(client.subUsers.resetAuthKey('alice', { reference: 'order-1' } as never), TypeError);
});

test('the oldest first, a page always has a place to go on from, and a place that is gone says so', async (t) => {
	const { reliable } = await serveAlice(t);
	const page = (after?: string) =>
		reliable.statement.list({ order: 'oldest', pageRows: 1, ...(after !== undefined && { after }) }).page();
	const first = await page();
	assert.deepEqual([first.items.map(({ id }) => id), first.more], [[1], true]);
	const last = await page(first.next);
	assert.deepEqual([last.items.map(({ id }) => id), last.more], [[2], false]);
	assert.deepEqual(await page(last.next), { items: [], next: last.next, more: false });
	await reliable.subUsers.give('alice', 1);
	assert.equal((await page(last.next)).items[0]?.kind, 'give');
	assert.equal((await all(reliable.statement.list({ order: 'oldest', pageRows: 1, after: '1' }))).length, 2);
	for (const gone of ['4', '3-0123456789abcdef']) {
		await assert.rejects(page(gone), (error) => {
			assert.ok(error instanceof StatementRewoundError);
			assert.deepEqual([error.newest, error.code, error.status], [3, 'statement_rewound', 410]);
			return true;
		});
	}
});

test('wrong options are refused before anything is sent, and a signal ends a list', async (t) => {
	const { unreliable } = await serveReseller(t);
	const { client, way } = unreliable({});
	for (const options of [
		{ pageRows: 0 },
		{ pageRows: 1_001 },
		{ prefix: 5 },
		{ status: 'active' },
		{ from: new Date() },
		{ signal: 5 },
	]) {
		assert.throws(() => client.subUsers.list(options as never), TypeError, JSON.stringify(options));
	}
	assert.throws(() => client.statement.list({ from: new Date(Number.NaN) }), TypeError);
	assert.throws(() => client.statement.list({ state: 'active' } as never), TypeError);
	await assert.rejects(all(client.subUsers.list({ signal: AbortSignal.abort(new Error('enough')) })), /enough/);
	assert.deepEqual(way.asked, []);
});
