import assert from 'node:assert/strict';
import { test } from 'node:test';
import { successEnvelope } from '@bursar/contract';
import { UnexpectedAnswerError } from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
	const list: Item[] = [];
	for await (const item of items) list.push(item);
	return list;
}

const pageOf = (next: string | null) => () => Response.json(successEnvelope({ sub_users: [], next }, Date.now()));

test('sub-users come in the order of their names over all pages, by prefix and by state', async (t) => {
	const { reliable, withIds } = await serveReseller(t);
	assert.deepEqual(await all(reliable.listSubUsers()), []);
	for (const name of ['team.c', 'team.a', 'other', 'team.b', 'team.d']) await reliable.createSubUser(name);
	await reliable.suspendSubUser('team.b');
	const { client, way } = withIds({ view_page: ['never_arrives', 'answer_lost'] });
	const listed = await all(client.listSubUsers({ pageRows: 2 }));
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
	const { state: _, ...other } = listed[0] ?? assert.fail();
	assert.deepEqual(other, await reliable.viewSubUser('other'));
	assert.ok(way.asked.length >= 5, 'it read pages, and repeated those that were lost');
	const names = async (options: Parameters<typeof client.listSubUsers>[0]) =>
		(await all(client.listSubUsers(options))).map(({ username }) => username);
	assert.deepEqual(await names({ prefix: 'TEAM.', state: 'active', pageRows: 1 }), ['team.a', 'team.c', 'team.d']);
	assert.deepEqual(await names({ state: 'expired' }), []);
});

test('a page is asked for only when it is needed', async (t) => {
	const { reliable, withIds } = await serveReseller(t);
	for (const name of ['alice', 'bruno', 'chiara']) await reliable.createSubUser(name);
	const { client, way } = withIds({});
	for await (const { username } of client.listSubUsers({ pageRows: 1 })) if (username === 'bruno') break;
	assert.deepEqual(way.asked, ['view_page', 'view_page']);
});

test('an empty page that has a next one is not the end, and a list that goes in circles is', async (t) => {
	const { withIds } = await serveAlice(t);
	const { client, way } = withIds({ view_page: [pageOf('aaaa'), pageOf('aaab')] });
	assert.deepEqual((await all(client.listSubUsers())).length, 1);
	assert.equal(way.asked.length, 3);
	const circle = withIds({ view_page: [pageOf('aaaa'), pageOf('aaaa')] });
	await assert.rejects(all(circle.client.listSubUsers()), UnexpectedAnswerError);
});

test('movements come newest first, with both balances, within the days that were asked for', async (t) => {
	const { reliable } = await serveAlice(t);
	const { requestId } = await reliable.giveBalance('alice', 250);
	await reliable.takeBalance('alice', 50);
	const movements = await all(reliable.listMovements({ pageRows: 1 }));
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
	const count = async (options: Parameters<typeof reliable.listMovements>[0]) =>
		(await all(reliable.listMovements(options))).length;
	const oldest = movements.at(-1)?.movedAt ?? assert.fail();
	assert.equal(await count({ from: oldest, to: new Date() }), 4);
	assert.equal(await count({ to: new Date(oldest.getTime() - 86_400_000) }), 0);
});

test('wrong options are refused before anything is sent, and a signal ends a list', async (t) => {
	const { withIds } = await serveReseller(t);
	const { client, way } = withIds({});
	for (const options of [
		{ pageRows: 0 },
		{ pageRows: 1_001 },
		{ prefix: 5 },
		{ status: 'active' },
		{ from: new Date() },
		{ signal: 5 },
	]) {
		assert.throws(() => client.listSubUsers(options as never), TypeError, JSON.stringify(options));
	}
	assert.throws(() => client.listMovements({ from: new Date(Number.NaN) }), TypeError);
	assert.throws(() => client.listMovements({ state: 'active' } as never), TypeError);
	await assert.rejects(all(client.listSubUsers({ signal: AbortSignal.abort(new Error('enough')) })), /enough/);
	assert.deepEqual(way.asked, []);
});
