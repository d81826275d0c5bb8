import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubUserOfResellerOrder } from '@bursar/contract/dashboard';
import {
	createSubUser,
	deleteSubUser,
	giveBalance,
	setLimits,
	setNote,
	setPrice,
	suspendSubUser,
} from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';

const DAY_MS = 86_400_000;

async function start(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	dashboard.clock.stop();
	const { store, clock } = dashboard;
	const operator = await dashboard.operator();
	const acme = await dashboard.resellerWithPerson('acme');
	const run = async (commands: Parameters<typeof store.runCommands>[0], nowMs = clock.nowMs()) =>
		assert.equal((await store.runCommands(commands, nowMs)).kind, 'committed');
	return { ...dashboard, operator, acme, run };
}

test('operators see the sub-users of a reseller with balances and states, and neither keys nor notes', async (t) => {
	const { operator, acme, openReseller, store, run, clock } = await start(t);
	await openReseller('bolt', 100);
	const nowMs = clock.nowMs();
	await run([
		...['alice', 'bruno', 'carla', 'daria', 'ended'].map((name) => createSubUser('acme', name)),
		createSubUser('bolt', 'olga'),
		giveBalance('acme', 'bruno', 70),
		setNote('acme', 'bruno', 'only for the people of acme'),
		setLimits('acme', 'carla', { expiresAtMs: nowMs }),
		setLimits('acme', 'daria', { expiresAtMs: nowMs }),
		suspendSubUser('acme', 'daria'),
		deleteSubUser('acme', 'ended'),
	]);
	const answer = await operator.ask('/operator/sub-users?reseller=ACME');
	const keys = await Promise.all(
		['alice', 'bruno'].map(async (name) => (await store.findAccount('acme', name))?.proxyAuthkey),
	);
	for (const secret of [...keys, 'only for the people']) assert.ok(secret && !answer.text.includes(secret));
	const created = new Date(nowMs).toISOString();
	assert.deepEqual(answer.data, {
		sub_users: [
			{ username: 'alice', balance: 0, state: 'active', created },
			{ username: 'bruno', balance: 70, state: 'active', created },
			{ username: 'carla', balance: 0, state: 'expired', created },
			{ username: 'daria', balance: 0, state: 'suspended', created },
		],
		next: null,
		previous: null,
	});
	for (const [state, names] of [
		['active', ['alice', 'bruno']],
		['suspended', ['daria']],
		['expired', ['carla']],
	] as const) {
		const { sub_users } = await operator.read('/operator/sub-users', { reseller: 'acme', state });
		assert.deepEqual(
			sub_users.map(({ username }) => username),
			names,
		);
	}
	for (const reseller of ['bolt2', 'alice', '', '<script>']) {
		for (const path of ['/operator/sub-users?', '/operator/bandwidth?range=7d&']) {
			await operator.refused('unknown_reseller', `${path}reseller=${encodeURIComponent(reseller)}`);
		}
	}
	assert.equal((await acme.browser.read('/sub-users')).sub_users.length, 4);
});

test('operators search and sort the sub-users of a reseller, in pages that lead forth and back', async (t) => {
	const { operator, run, openReseller, clock } = await start(t);
	await openReseller('shop', 100_000);
	// The n-th was made n-th and has n cents, in no order of names.
	const names = Array.from({ length: 53 }, (_, index) => `user_${String((index * 7) % 53).padStart(2, '0')}`);
	for (const [index, name] of names.entries()) {
		const gift = index > 0 ? [giveBalance('shop', name, index)] : [];
		await run([createSubUser('shop', name), ...gift], clock.nowMs() + index);
	}
	const expected = { name: names.toSorted(), balance: names, created: names } as const;
	for (const [order, sorted] of Object.entries(expected) as [keyof typeof expected, string[]][]) {
		assert.deepEqual(await walk(order), sorted, order);
		assert.deepEqual(await walk(`-${order}`), sorted.toReversed(), `-${order}`);
	}
	const found = async (query: object) =>
		(await operator.read('/operator/sub-users', { reseller: 'shop', ...query })).sub_users.length;
	assert.equal(await found({ search: 'USER_1' }), 10);
	assert.equal(await found({ search: '_1' }), 0);
	for (const search of ['%', '<script>', '\u0000', 'x'.repeat(9000)]) assert.equal(await found({ search }), 0);

	async function walk(order: SubUserOfResellerOrder): Promise<string[]> {
		const query = { reseller: 'shop', order } as const;
		const first = await operator.read('/operator/sub-users', query);
		const second = await operator.read('/operator/sub-users', { ...query, after: first.next ?? '' });
		assert.deepEqual([first.sub_users.length, second.sub_users.length, second.next], [50, 3, null]);
		const back = await operator.read('/operator/sub-users', { ...query, before: second.previous ?? '' });
		assert.deepEqual(back, first);
		return [...first.sub_users, ...second.sub_users].map(({ username }) => username);
	}
});

test('operators see the bandwidth of a reseller by day, as its own people do', async (t) => {
	const { operator, acme, openReseller, store, run, clock } = await start(t);
	await openReseller('bolt', 100);
	clock.stoppedAtMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
	const nowMs = clock.nowMs();
	await run([createSubUser('acme', 'alice'), setPrice('acme', 1_000_000)], nowMs - 40 * DAY_MS);
	const report = (daysAgo: number, username: string, bytesUp: number, bytesDown: number) => ({
		...{ source: 'test', id: `${username} ${daysAgo}`, username, atMs: nowMs - daysAgo * DAY_MS, bytesUp, bytesDown },
	});
	const reports = [
		report(0, 'alice', 1, 2_000_000_000),
		report(6, 'acme', 5, 6),
		report(7, 'alice', 7, 8),
		report(0, 'bolt', 9, 9),
	];
	assert.equal((await store.recordUsage(reports, nowMs)).kind, 'committed');
	const week = await operator.read('/operator/bandwidth', { reseller: 'acme', range: '7d' });
	assert.deepEqual(
		week.spans.filter(({ up }) => up > 0).map(({ up, down, cost }) => [up, down, cost]),
		[
			[5, 6, 0],
			[1, 2_000_000_000, 200],
		],
	);
	for (const range of ['24h', '7d', '30d', '90d'] as const) {
		assert.deepEqual(
			await operator.read('/operator/bandwidth', { reseller: 'Acme', range }),
			await acme.browser.read('/bandwidth', { range }),
		);
	}
});

test('operators see one sub-user as the reseller does, without its key and the note, and what is left of a deleted one', async (t) => {
	const { operator, acme, openReseller, store, run, clock } = await start(t);
	await openReseller('bolt', 100);
	const nowMs = clock.nowMs();
	await run([
		createSubUser('acme', 'alice'),
		createSubUser('acme', 'ended'),
		createSubUser('bolt', 'olga'),
		giveBalance('acme', 'alice', 70),
		giveBalance('acme', 'ended', 5),
		setLimits('acme', 'alice', { dayBytes: 1000, connections: 3, expiresAtMs: nowMs + DAY_MS }),
		setNote('acme', 'alice', 'only for the people of acme'),
		suspendSubUser('acme', 'alice'),
	]);
	const report = { source: 's', id: '1', username: 'alice', atMs: nowMs, bytesUp: 3, bytesDown: 4 };
	assert.equal((await store.recordUsage([report, { ...report, id: '2', username: 'ended' }], nowMs)).kind, 'committed');
	await run([deleteSubUser('acme', 'ended')]);
	const {
		reseller_balance: _own,
		price: _price,
		note,
		...same
	} = await acme.browser.read('/sub-user', {
		username: 'alice',
	});
	const answer = await operator.ask('/operator/sub-user?reseller=ACME&username=Alice');
	assert.deepEqual(answer.data, { ...same, deleted: null });
	const key = (await store.findAccount('acme', 'alice'))?.proxyAuthkey;
	for (const secret of [key, note]) assert.ok(secret && !answer.text.includes(secret));

	const at = new Date(nowMs).toISOString();
	const ended = { reseller: 'acme', username: 'ended' };
	assert.deepEqual(await operator.read('/operator/sub-user', ended), { username: 'ended', created: at, deleted: at });
	for (const username of ['alice', 'ended']) {
		assert.deepEqual(
			await operator.read('/operator/bandwidth', { reseller: 'acme', username, range: '7d' }),
			await acme.browser.read('/bandwidth', { username, range: '7d' }),
		);
		const { movements } = await operator.read('/operator/statement', { reseller: 'acme', username });
		assert.ok(movements.length > 1 && movements.every((movement) => movement.username === username));
	}
	for (const query of ['reseller=acme&username=olga', 'reseller=bolt&username=alice', 'reseller=acme&username=acme']) {
		await operator.refused('unknown_account', `/operator/sub-user?${query}`);
		await operator.refused('unknown_account', `/operator/bandwidth?range=7d&${query}`);
	}
	await operator.refused('unknown_account', '/operator/sub-user?reseller=%3Cscript%3E&username=alice');
});
