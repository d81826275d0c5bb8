import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
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
import { wholeFile } from '../../../support/whole-file.ts';

const DAY_MS = 86_400_000;
const OP = 'op@bursar.example';
const NOTE = 'only for the people of acme';

const { store, clock, operator: newOperator, openReseller, resellerWithPerson } = await startDashboard(wholeFile);
clock.stop();
const nowMs = clock.nowMs();
const at = new Date(nowMs).toISOString();
const operator = await newOperator(OP);
const { browser: ann } = await resellerWithPerson('acme');
await openReseller('bolt', 1000);
await run([
	...['alice', 'bruno', 'carla', 'daria', 'ended'].map((name) => createSubUser('acme', name)),
	createSubUser('bolt', 'olga'),
	...[giveBalance('acme', 'bruno', 70), giveBalance('acme', 'ended', 5)],
	setNote('acme', 'bruno', NOTE),
	setLimits('acme', 'bruno', { dayBytes: 9_000, connections: 3, expiresAtMs: nowMs + DAY_MS }),
	...['carla', 'daria'].map((name) => setLimits('acme', name, { expiresAtMs: nowMs })),
	suspendSubUser('acme', 'daria'),
]);
const reports = ['alice', 'bruno', 'ended', 'olga'].map((username) => ({
	...{ source: 's', id: username, username, atMs: nowMs, bytesUp: 100, bytesDown: 1000 },
}));
assert.equal((await store.recordUsage(reports, nowMs)).kind, 'committed');
await run([deleteSubUser('acme', 'ended')]);

async function run(commands: Parameters<typeof store.runCommands>[0]): Promise<void> {
	assert.equal((await store.runCommands(commands, nowMs)).kind, 'committed');
}

test('operators see the sub-users of a reseller with balances and states, and neither keys nor notes', async () => {
	const answer = await operator.ask('/operator/sub-users?reseller=ACME');
	const keys = await Promise.all(
		['alice', 'bruno'].map(async (name) => (await store.findAccount('acme', name))?.proxyAuthkey),
	);
	const byNote = await operator.ask('/operator/sub-users?reseller=acme&match=anywhere&search=people');
	assert.deepEqual((byNote.data as { sub_users: [] }).sub_users, []);
	for (const secret of [...keys, NOTE]) assert.ok(secret && !answer.text.includes(secret));
	assert.partialDeepStrictEqual(answer.data, {
		sub_users: [
			{ username: 'alice', balance: 0, state: 'active', up: 100, down: 1000, created: at },
			{ username: 'bruno', balance: 70, state: 'active', up: 100, down: 1000, created: at },
			{ username: 'carla', balance: 0, state: 'expired', up: 0, down: 0, created: at },
			{ username: 'daria', balance: 0, state: 'suspended', up: 0, down: 0, created: at },
		],
		next: null,
		previous: null,
		price: null,
	});
	assert.deepEqual(answer.data, await ann.read('/sub-users'), 'as the reseller sees them');
	const { sub_users } = await operator.read('/operator/sub-users', { reseller: 'acme', state: 'suspended' });
	assert.deepEqual(
		sub_users.map(({ username }) => username),
		['daria'],
	);
	for (const reseller of ['alice', '', '<script>']) {
		for (const path of ['/operator/sub-users?', '/operator/bandwidth?range=7d&']) {
			await operator.refused('unknown_reseller', `${path}reseller=${encodeURIComponent(reseller)}`);
		}
	}
});

test('operators see one sub-user as the reseller does, without its key and the note, and what is left of a deleted one', async () => {
	const own = await ann.read('/sub-user', { username: 'bruno' });
	const { reseller_balance: _own, price: _price, note, ...same } = own;
	const answer = await operator.ask('/operator/sub-user?reseller=ACME&username=Bruno');
	assert.deepEqual(answer.data, { ...same, deleted: null });
	const key = (await store.findAccount('acme', 'bruno'))?.proxyAuthkey;
	for (const secret of [key, note]) assert.ok(secret && !answer.text.includes(secret));

	const ended = { reseller: 'acme', username: 'ended' };
	assert.deepEqual(await operator.read('/operator/sub-user', ended), { username: 'ended', created: at, deleted: at });
	for (const username of ['bruno', 'ended']) {
		assert.deepEqual(
			await operator.read('/operator/bandwidth', { reseller: 'acme', username, range: '7d' }),
			await ann.read('/bandwidth', { username, range: '7d' }),
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

test('an operator corrects a day once, under a reference; it moves no money', async () => {
	const path = '/operator/usage/correct';
	const date = at.slice(0, 10);
	const day = { reseller: 'acme', username: 'alice', day: date };
	const usual = { ...day, reference: 'C-1', reason: 'Counted twice', up: -60, down: 9 };
	await run([setPrice('acme', 1_000_000_000)]);
	const before = await ann.read('/overview');
	for (const [code, change] of [
		...['olga', 'nobody.here', '<script>'].map((username) => ['unknown_account', { username }] as const),
		['unknown_account', { reseller: '' }],
		['invalid_bytes', { up: 0.5 }],
		['too_few_bytes', { up: -101 }],
		['too_many_bytes', { up: Number.MAX_SAFE_INTEGER }],
		['day_ahead', { day: new Date(nowMs + DAY_MS).toISOString().slice(0, 10) }],
		['invalid_reference', { reference: ' ' }],
		['invalid_reason', { reason: '' }],
		['invalid_request', { day: '2026-02-30' }],
	] as const) {
		await operator.refused(code, path, { ...usual, act: randomUUID(), ...change });
	}
	await operator.refused('unknown_account', `/operator/usage/day?reseller=acme&username=olga&day=${date}`);
	assert.deepEqual(await operator.read('/operator/usage/day', day), { up: 100, down: 1000 });

	const correction = { ...usual, act: randomUUID() };
	assert.deepEqual(await operator.ok(path, correction), { repeated: false, up: 40, down: 1009 });
	await operator.refused('act_repeated', path, correction);
	assert.deepEqual(await operator.change(path, usual), { repeated: true, up: 40, down: 1009 });
	await operator.refused('reference_conflict', path, { ...usual, act: randomUUID(), up: -61 });
	assert.deepEqual(await operator.read('/operator/usage/day', day), { up: 40, down: 1009 });
	assert.equal((await ann.read('/overview')).balance, before.balance);
	const shown = {
		made: at,
		username: 'alice',
		up: -60,
		down: 9,
		reason: 'Counted twice',
		date: `${date}T00:00:00.000Z`,
	};
	assert.deepEqual((await ann.read('/bandwidth', { range: '7d', username: 'alice' })).corrections, [shown]);
	assert.deepEqual((await operator.read('/operator/usage')).corrections, [
		{ ...shown, reseller: 'acme', reference: 'C-1', by: OP },
	]);
	const { acts } = await operator.read('/operator/acts', { kind: 'correct_usage' });
	assert.deepEqual(
		acts.map(({ target, email }) => [target, email]),
		[[`alice ${date}`, OP]],
		'a repeat changes nothing, and is no act',
	);
	// The own account of a reseller, and a deleted sub-user.
	for (const [username, reference] of [
		['ACME', 'C-2'],
		['ended', 'C-3'],
	] as const) {
		const added = { ...usual, username, reference, up: 5, down: 6 };
		assert.equal((await operator.change(path, added)).up, username === 'ended' ? 105 : 5);
	}
});
