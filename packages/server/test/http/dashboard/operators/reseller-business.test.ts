import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createSubUser,
	deleteSubUser,
	giveBalance,
	setLimits,
	setNote,
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
