import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const NONE = {
	day_bytes: null,
	month_bytes: null,
	total_bytes: null,
	connections: null,
	bytes_per_second: null,
	allowed_ips: null,
	expires_at: null,
};

const { store, clock, resellerWithPerson, operator: newOperator } = await startDashboard(wholeFile);
const operator = await newOperator('op@bursar.example');
const { browser: bob } = await resellerWithPerson('bolt');

/** A person of a new reseller, whose sub-user has $2.50 and has used these bytes up. */
async function start(reseller: string, username: string, bytesUp = 0) {
	const { browser: ann } = await resellerWithPerson(reseller);
	await ann.change('/sub-users/create', { username });
	await ann.change('/sub-users/give', { username, amount: 250 });
	if (bytesUp > 0) await use(username, bytesUp);
	return { ann, stored: () => store.findDetails(reseller, username) };
}

async function use(username: string, bytesUp: number): Promise<void> {
	const report = { source: 's', id: randomUUID(), username, atMs: clock.nowMs(), bytesUp, bytesDown: 6 };
	assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
}

test('a delete gives all of it back; the past stays readable for the reseller alone, and the name stays taken', async () => {
	const username = 'alice.ended';
	const { ann } = await start('ended', username, 5);
	const { created } = await ann.read('/sub-user', { username });
	assert.equal(await ann.read('/deleted-sub-user', { username }), null);
	const body = { act: randomUUID(), username: 'ALICE.ended' };
	assert.deepEqual(await ann.ok('/sub-users/delete', body), { username, returned: 250 });
	await ann.refused('act_repeated', '/sub-users/delete', body);
	await ann.refused('unknown_sub_user', '/sub-users/delete', { act: randomUUID(), username });

	assert.equal(await ann.read('/sub-user', { username }), null);
	const ended = await ann.read('/deleted-sub-user', { username: 'Alice.Ended' });
	assert.deepEqual(ended, { username, created, deleted: ended.deleted });
	assert.ok(Math.abs(Date.parse(ended.deleted) - clock.nowMs()) < 60_000);
	assert.deepEqual((await ann.read('/sub-users')).sub_users, []);
	const { movements } = await ann.read('/statement', { username });
	assert.deepEqual(
		movements.map(({ kind, amount }) => [kind, amount]),
		[
			['take', -250],
			['give', 250],
			['create_fee', -10],
		],
	);
	await ann.refused('username_taken', '/sub-users/create', { act: randomUUID(), username });
	assert.equal((await ann.read('/bandwidth', { range: '7d', username })).spans.at(-1)?.up, 5);
	const file = await (await ann.download('/bandwidth.csv', { range: '7d', username, zone: 'UTC' })).text();
	assert.match(file, /,5,6,/);
	assert.equal(await bob.read('/deleted-sub-user', { username }), null);
	for (const path of ['/bandwidth?range=7d&', '/statement?']) {
		await bob.refused('unknown_sub_user', `${path}username=${username}`);
	}
	// Before a create, a page asks whether the reseller has or had the name itself. It learns nothing of others.
	const statesOf = (by: typeof ann, ...names: readonly string[]) =>
		Promise.all(names.map(async (name) => (await by.read('/sub-users/name', { username: name })).own));
	assert.deepEqual(await statesOf(ann, 'Alice.ended', 'ENDED'), ['deleted', 'taken']);
	assert.deepEqual(await statesOf(ann, 'bolt', 'nobody', '<script>', ''), [null, null, null, null]);
	assert.deepEqual(await statesOf(bob, username, 'ended'), [null, null]);
});

test('what is done to a sub-user is answered with all of it, once for each act, and nothing of it moves money', async () => {
	const username = 'alice.limited';
	const { ann, stored } = await start('limited', username, 994);
	const before = await ann.read('/sub-user', { username });
	assert.deepEqual(before, {
		...before,
		...{ balance: 250, reseller_balance: 740, state: 'active', limits: NONE, note: '' },
		used: { day_bytes: 1000, month_bytes: 1000, total_bytes: 1000, connections: null },
	});
	assert.ok(Math.abs(Date.parse(before.last_seen ?? '') - clock.nowMs()) < 60_000);
	const act = randomUUID();
	const suspended = await ann.ok('/sub-users/suspend', { act, username: 'Alice.Limited' });
	assert.deepEqual(suspended, { ...before, state: 'suspended' });
	await ann.refused('act_repeated', '/sub-users/resume', { act, username });
	assert.equal((await stored())?.state, 'suspended');
	assert.equal((await ann.change('/sub-users/resume', { username })).state, 'active');

	const expires_at = new Date(clock.nowMs() - 1000).toISOString();
	const limits = { day_bytes: 5_000_000_000, connections: 20 };
	const allowed_ips = ['192.0.2.77/24', '::FFFF:192.0.2.1'];
	const limited = await ann.change('/sub-users/limits', { username, limits: { ...limits, allowed_ips, expires_at } });
	const read = { ...NONE, ...limits, allowed_ips: ['192.0.2.0/24', '192.0.2.1'], expires_at };
	assert.deepEqual([limited.limits, limited.state, limited.used.connections], [read, 'expired', 0]);
	const unset = { day_bytes: null, allowed_ips: null, expires_at: null };
	const fewer = await ann.change('/sub-users/limits', { username, limits: unset });
	assert.deepEqual([fewer.limits, fewer.state], [{ ...NONE, connections: 20 }, 'active']);
	const noted = await ann.change('/sub-users/note', { username, note: 'pays late' });
	assert.deepEqual(await ann.read('/sub-user', { username }), noted);
	assert.deepEqual(noted, { ...before, note: 'pays late', limits: fewer.limits, used: fewer.used });
	const kinds = (await ann.read('/account/acts')).acts.map(({ kind, target }) => `${kind} ${target}`);
	assert.deepEqual(
		kinds.slice(0, 5),
		['set_note', 'set_limits', 'set_limits', 'resume_sub_user', 'suspend_sub_user'].map(
			(kind) => `${kind} ${username}`,
		),
	);
});

test('addresses are set as a whole, and an operator says whether that is allowed', async () => {
	const username = 'alice.by_address';
	const { ann } = await start('by.address', username);
	const set = (...sign_in_ips: readonly string[]) => ({ act: randomUUID(), username, sign_in_ips });
	const path = '/sub-users/sign-in-ips';
	assert.equal((await ann.read('/sub-user', { username })).sign_in_by_address, false);
	await ann.refused('sign_in_by_address_off', path, set('192.0.2.7'));
	const allow = (allowed: boolean) =>
		operator.change('/operator/sign-in-by-address', { reseller: 'by.address', allowed });
	assert.equal((await allow(true)).sign_in_by_address, true);
	const shown = await ann.change(path, { username, sign_in_ips: ['2001:db8:7::1/64', '::ffff:192.0.2.7'] });
	assert.deepEqual([shown.sign_in_ips, shown.sign_in_by_address], [['192.0.2.7', '2001:db8:7::/64'], true]);
	assert.deepEqual(await ann.read('/sub-user', { username }), shown);
	await ann.refused('invalid_sign_in_ips', path, set('127.0.0.1'));
	await ann.refused('invalid_request', path, { ...set(), sign_in_ips: '192.0.2.7' });
	await bob.refused('unknown_sub_user', path, set());
	const allowing = { act: randomUUID(), reseller: 'by.address', allowed: true };
	await ann.refused('only_for_operators', '/operator/sign-in-by-address', allowing);
	await operator.refused('unknown_reseller', '/operator/sign-in-by-address', { ...allowing, reseller: username });
	assert.equal((await allow(false)).sign_in_by_address, false);
	await ann.refused('sign_in_by_address_off', path, set('192.0.2.7', '192.0.2.8'));
	assert.deepEqual((await ann.change(path, { username, sign_in_ips: [] })).sign_in_ips, []);
	const { acts } = await ann.read('/account/acts');
	const [removed, added] = acts.filter(({ kind }) => kind === 'set_sign_in_ips').map(({ details }) => details?.changed);
	assert.deepEqual(removed, { sign_in_ips: [shown.sign_in_ips, null] });
	assert.deepEqual(added, { sign_in_ips: [null, shown.sign_in_ips] });
});

test('what is not a limit or a note, and what is not theirs, is refused and changes nothing', async () => {
	const username = 'alice.kept';
	const { ann, stored } = await start('kept', username);
	const before = await stored();
	const limitsOf = (limits: object) => ({ act: randomUUID(), username, limits });
	for (const limits of [
		...[{ day_bytes: 0 }, { connections: 1_000_001 }, { allowed_ips: [] }, { allowed_ips: ['1.2.3.4', '127.1'] }],
		...['', '2026-02-30T00:00:00Z', '2026-12-31', '1e3', '2026-12-31T00:00:00'].map((expires_at) => ({ expires_at })),
	]) {
		await ann.refused('invalid_limits', '/sub-users/limits', limitsOf(limits));
	}
	for (const limits of [{}, { days: 1 }, { day_bytes: '5' }, { allowed_ips: '192.0.2.1' }, { expires_at: 5 }]) {
		await ann.refused('invalid_request', '/sub-users/limits', limitsOf(limits));
	}
	await ann.refused('invalid_note', '/sub-users/note', { act: randomUUID(), username, note: '\u202eevil' });
	for (const [by, name] of [
		...[username, 'nobody', 'kept', '<script>'].map((name) => [bob, name] as const),
		[ann, 'kept'] as const,
	]) {
		const change = { act: randomUUID(), username: name, note: '', limits: { day_bytes: 1 } };
		for (const path of ['suspend', 'resume', 'delete', 'note', 'limits']) {
			await by.refused('unknown_sub_user', `/sub-users/${path}`, change);
		}
	}
	assert.deepEqual(await stored(), before);
});
