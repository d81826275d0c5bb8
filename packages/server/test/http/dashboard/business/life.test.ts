import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { PairState } from '@bursar/contract/dashboard';
import { startDashboard } from '../../../support/dashboard.ts';

const NONE = {
	day_bytes: null,
	month_bytes: null,
	total_bytes: null,
	connections: null,
	allowed_ips: null,
	expires_at: null,
};

async function start(t: Parameters<typeof startDashboard>[0]) {
	const dashboard = await startDashboard(t);
	const acme = await dashboard.resellerWithPerson('acme');
	const bolt = await dashboard.resellerWithPerson('bolt');
	await acme.browser.change('/sub-users/create', { username: 'alice' });
	await acme.browser.change('/sub-users/give', { username: 'alice', amount: 250 });
	const stored = (username: string) => dashboard.store.findDetails('acme', username);
	return { ...dashboard, ann: acme.browser, bob: bolt.browser, stored };
}

test('a delete gives all of it back once; the past stays readable, and the name stays taken', async (t) => {
	const { ann, bob, store, clock } = await start(t);
	const atMs = clock.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'alice', atMs, bytesUp: 5, bytesDown: 6 }], atMs);
	const { created } = await ann.read('/sub-user', { username: 'alice' });
	await ann.refused('unknown_sub_user', '/deleted-sub-user?username=alice');
	const act = randomUUID();
	assert.deepEqual(await ann.ok('/sub-users/delete', { act, username: 'ALICE' }), { username: 'alice', returned: 250 });
	await ann.refused('act_repeated', '/sub-users/delete', { act, username: 'alice' });
	await ann.refused('unknown_sub_user', '/sub-users/delete', { act: randomUUID(), username: 'alice' });
	assert.equal((await ann.read('/overview')).balance, 990);

	await ann.refused('unknown_sub_user', '/sub-user?username=alice');
	const ended = await ann.read('/deleted-sub-user', { username: 'Alice' });
	assert.deepEqual(ended, { username: 'alice', created, deleted: ended.deleted });
	assert.ok(Math.abs(Date.parse(ended.deleted) - atMs) < 60_000);
	assert.deepEqual((await ann.read('/sub-users')).sub_users, []);
	const { movements } = await ann.read('/statement', { username: 'alice' });
	assert.deepEqual(
		movements.map(({ kind, amount }) => [kind, amount]),
		[
			['take', -250],
			['give', 250],
			['create_fee', -10],
		],
	);
	const { spans } = await ann.read('/bandwidth', { range: '7d', username: 'alice' });
	assert.equal(spans.at(-1)?.up, 5);
	const file = await (await ann.download('/bandwidth.csv', { range: '7d', username: 'alice', zone: 'UTC' })).text();
	assert.match(file, /,5,6,/);
	await ann.refused('username_taken', '/sub-users/create', { act: randomUUID(), username: 'alice' });

	for (const path of [
		'/deleted-sub-user?username=alice',
		'/bandwidth?range=7d&username=alice',
		'/statement?username=alice',
	])
		await bob.refused('unknown_sub_user', path);
});

test('what is done to a sub-user is answered with all of it, once for each act, and nothing of it moves money', async (t) => {
	const { ann, stored, store, clock } = await start(t);
	const atMs = clock.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'alice', atMs, bytesUp: 400, bytesDown: 600 }], atMs);
	const before = await ann.read('/sub-user', { username: 'alice' });
	assert.deepEqual(before, {
		...before,
		...{ balance: 250, state: 'active', limits: NONE, note: '', last_seen: new Date(atMs).toISOString() },
		used: { day_bytes: 1000, month_bytes: 1000, total_bytes: 1000, connections: null },
	});
	const act = randomUUID();
	assert.deepEqual(await ann.ok('/sub-users/suspend', { act, username: 'Alice' }), { ...before, state: 'suspended' });
	await ann.refused('act_repeated', '/sub-users/resume', { act, username: 'alice' });
	assert.equal((await stored('alice'))?.state, 'suspended');
	assert.equal((await ann.change('/sub-users/resume', { username: 'alice' })).state, 'active');

	const expired = new Date(atMs - 1000).toISOString();
	const limits = { day_bytes: 5_000_000_000, connections: 20, allowed_ips: ['192.0.2.77/24', '::FFFF:192.0.2.1'] };
	const limited = await ann.change('/sub-users/limits', {
		username: 'alice',
		limits: { ...limits, expires_at: expired },
	});
	assert.deepEqual(limited.limits, {
		...NONE,
		...limits,
		allowed_ips: ['192.0.2.0/24', '192.0.2.1'],
		expires_at: expired,
	});
	assert.equal(limited.state, 'expired');
	assert.equal(limited.used.connections, 0);
	const unset = { day_bytes: null, allowed_ips: null, expires_at: null };
	const fewer = await ann.change('/sub-users/limits', { username: 'alice', limits: unset });
	assert.deepEqual([fewer.limits, fewer.state], [{ ...NONE, connections: 20 }, 'active']);
	assert.equal((await ann.change('/sub-users/note', { username: 'alice', note: 'pays late' })).note, 'pays late');
	assert.equal((await ann.read('/sub-user', { username: 'alice' })).note, 'pays late');
	assert.deepEqual(
		[before.balance, before.reseller_balance],
		[(await ann.read('/sub-user', { username: 'alice' })).balance, (await ann.read('/overview')).balance],
	);
	const kinds = (await ann.read('/account/acts')).acts.map(({ kind, target }) => `${kind} ${target}`);
	assert.deepEqual(kinds.slice(0, 5), [
		'set_note alice',
		'set_limits alice',
		'set_limits alice',
		'resume_sub_user alice',
		'suspend_sub_user alice',
	]);
});

test('what is not a limit or a note, and what is not theirs, is refused and changes nothing', async (t) => {
	const { ann, bob, stored } = await start(t);
	const before = await stored('alice');
	const limits = [
		...[0, -1, 1.5, 2 ** 53].flatMap((bytes) => [{ day_bytes: bytes }, { total_bytes: bytes }]),
		...[{ connections: 0 }, { connections: 1_000_001 }, { month_bytes: 0 }],
		...[{ allowed_ips: [] }, { allowed_ips: ['nowhere'] }, { allowed_ips: ['1.2.3.4', '127.1'] }],
		{ allowed_ips: Array.from({ length: 33 }, (_, index) => `192.0.2.${index}`) },
		...['', '2026-02-30T00:00:00Z', '2026-12-31', '1e3', '2026-12-31T00:00:00'].map((expires_at) => ({ expires_at })),
		{ day_bytes: 1, expires_at: 'tomorrow' },
	];
	for (const each of limits) {
		const body = { act: randomUUID(), username: 'alice', limits: each };
		await ann.refused('invalid_limits', '/sub-users/limits', body);
	}
	for (const each of [{}, { days: 1 }, { day_bytes: '5' }, { allowed_ips: '192.0.2.1' }, { expires_at: 5 }]) {
		await ann.refused('invalid_request', '/sub-users/limits', { act: randomUUID(), username: 'alice', limits: each });
	}
	for (const note of ['x'.repeat(201), 'two\nlines', '\u202eevil', '\u0000']) {
		await ann.refused('invalid_note', '/sub-users/note', { act: randomUUID(), username: 'alice', note });
	}
	for (const username of ['alice', 'nobody', 'bolt', 'acme', '<script>']) {
		const change = { act: randomUUID(), username };
		const by = username === 'acme' ? ann : bob;
		for (const path of ['suspend', 'resume', 'delete'])
			await by.refused('unknown_sub_user', `/sub-users/${path}`, change);
		await by.refused('unknown_sub_user', '/sub-users/note', { ...change, note: '' });
		await by.refused('unknown_sub_user', '/sub-users/limits', { ...change, limits: { day_bytes: 1 } });
	}
	assert.deepEqual(await stored('alice'), before);
});

test('an act that found its state set is done too: a late copy of it undoes nothing', async (t) => {
	const { ann, stored } = await start(t);
	await ann.change('/sub-users/suspend', { username: 'alice' });
	const late = { act: randomUUID(), username: 'alice' };
	await ann.change('/sub-users/suspend', late);
	await ann.change('/sub-users/resume', { username: 'alice' });
	await ann.refused('act_repeated', '/sub-users/suspend', late);
	assert.equal((await stored('alice'))?.state, 'active');
});

test('whom the proxies refuse, no list, page, count or file calls active, for both audiences', async (t) => {
	const { ann, operator, store, clock } = await start(t);
	const olga = await operator();
	await ann.change('/sub-users/create', { username: 'bruno' });
	await ann.change('/sub-users/give', { username: 'bruno', amount: 1 });
	await ann.change('/sub-users/create', { username: 'carla' });
	await ann.change('/sub-users/limits', { username: 'alice', limits: { day_bytes: 5 } });
	await olga.change('/operator/price', { reseller: 'acme', price: 1_000_000 });
	const atMs = clock.nowMs();
	const used = (username: string, bytesUp: number) => ({
		source: 's',
		id: username,
		username,
		atMs,
		bytesUp,
		bytesDown: 0,
	});
	await store.recordUsage([used('alice', 5), used('bruno', 1e9), used('acme', 1e11)], atMs);

	async function assertStates(own: PairState, states: Readonly<Record<string, PairState>>) {
		const listed = await ann.read('/sub-users');
		const listedToOlga = await olga.read('/operator/sub-users', { reseller: 'acme' });
		for (const { sub_users } of [listed, listedToOlga]) {
			assert.deepEqual(Object.fromEntries(sub_users.map(({ username, state }) => [username, state])), states);
		}
		const file = await (await ann.download('/sub-users.csv', { zone: 'UTC' })).text();
		for (const [username, state] of Object.entries(states)) {
			assert.equal((await ann.read('/sub-user', { username })).state, state);
			const shown = await olga.read('/operator/sub-user', { reseller: 'acme', username });
			assert.equal('state' in shown && shown.state, state);
			assert.match(file, new RegExp(`^${username},.*,${state}\r?$`, 'm'));
		}
		assert.equal((await ann.read('/overview')).pair, own);
		assert.equal((await olga.read('/operator/reseller', { reseller: 'acme' })).pair, own);
	}
	await assertStates('exhausted', { alice: 'limit_reached', bruno: 'exhausted', carla: 'no_balance' });
	const exhausted = await ann.read('/sub-users', { state: 'exhausted', order: '-balance' });
	assert.deepEqual(
		exhausted.sub_users.map(({ username }) => username),
		['bruno'],
	);
	assert.deepEqual(await ann.read('/sub-users/count', { state: 'exhausted' }), { count: 1, before: 0 });
	const states = await ann.read('/sub-users/states');
	assert.deepEqual([states.active, states.exhausted, states.limit_reached], [0, 1, 1]);
	const given = await ann.change('/sub-users/suspend', { username: 'carla' });
	assert.equal(given.state, 'suspended');
	await olga.change('/operator/suspend', { reseller: 'acme' });
	const stopped = { alice: 'reseller_suspended', bruno: 'reseller_suspended', carla: 'suspended' } as const;
	await assertStates('reseller_suspended', stopped);
});

test('before a create, only the names that the reseller has or had itself are told', async (t) => {
	const { ann, bob } = await start(t);
	await ann.change('/sub-users/create', { username: 'bruno' });
	await ann.change('/sub-users/delete', { username: 'bruno' });
	const told = async (by: typeof ann, names: readonly string[]) =>
		Promise.all(names.map(async (username) => (await by.read('/sub-users/name', { username })).own));
	assert.deepEqual(await told(ann, ['alice', 'ALICE', 'acme', 'bruno', 'Bruno']), [
		...['taken', 'taken', 'taken', 'deleted', 'deleted'],
	]);
	assert.deepEqual(await told(ann, ['bolt', 'nobody', '<script>', '']), [null, null, null, null]);
	assert.deepEqual(await told(bob, ['alice', 'acme', 'bruno', 'nobody']), [null, null, null, null]);
});
