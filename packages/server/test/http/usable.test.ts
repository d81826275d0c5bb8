import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PAIR_STATES, type PairState, UNUSABLE_REASONS, type UnusableReason } from '@bursar/contract/sub-user-terms';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { startDashboard } from '../support/dashboard.ts';
import { wholeFile } from '../support/whole-file.ts';

const GB = 1_000_000_000;
const USED = 1_000;
const FEE = 10;
const GIVEN = 100;

const dashboard = await startDashboard(wholeFile, { BURSAR_EDGE_PORT: '0' });
const { store, clock } = dashboard;
const olga = await dashboard.operator();
const edge = edgeApi(dashboard.edgeUrl as string, await dashboard.openEdge('gw'));
await dashboard.readEdges();

type Said = readonly [reason: UnusableReason | null, state: PairState];

/** What holds of each sub-user, if nothing holds for the reseller. */
const ALONE: Readonly<Record<string, Said>> = {
	'a.day': ['limit_reached', 'limit_reached'],
	'b.expired': ['expired', 'expired'],
	'c.good': [null, 'active'],
	'd.month': ['limit_reached', 'limit_reached'],
	'e.ran_out': ['exhausted', 'exhausted'],
	'f.suspended': ['suspended', 'suspended'],
	'g.total': ['limit_reached', 'limit_reached'],
	'h.unpaid': ['exhausted', 'no_balance'],
};
const ENDS = Object.keys(ALONE);

/** A reseller with such sub-users, whose balance is what its sub-users have, and its person. `ranOut`: the bytes of `e.ran_out`. */
async function start(reseller: string, ranOut = GB) {
	const { token } = await dashboard.openReseller(reseller, ENDS.length * FEE + (ENDS.length - 1) * GIVEN);
	const api = resellerApi(dashboard.url, token);
	const named = (end: string) => `${reseller}.${end}`;
	await olga.change('/operator/price', { reseller, price: 1_000_000, debt_line: 0 });
	const keys = new Map<string, string>();
	for (const end of ENDS) {
		const username = named(end);
		keys.set(username, (await api.create({ username })).data.proxy_authkey);
		if (end !== 'h.unpaid') assert.equal((await api.give({ username, amount_usd_cents: GIVEN })).status, 200);
	}
	const used = { 'a.day': USED, 'd.month': USED, 'g.total': USED, 'e.ran_out': ranOut };
	const reports = Object.entries(used).map(([end, bytesUp]) => ({
		...{ source: 's', id: randomUUID(), username: named(end), atMs: clock.nowMs(), bytesUp, bytesDown: 0 },
	}));
	assert.equal((await store.recordUsage(reports, clock.nowMs())).kind, 'committed');
	await dashboard.submit({ kind: 'post_usage', reseller, usernames: [named('e.ran_out')] });
	for (const [end, limit] of [
		['a.day', { day_bytes: USED }],
		['d.month', { month_bytes: USED }],
		['g.total', { total_bytes: USED }],
		['b.expired', { expires_at: new Date(clock.nowMs() - 1).toISOString() }],
	] as const)
		assert.equal((await api.setLimits({ username: named(end), ...limit })).status, 200);
	assert.equal((await api.suspend({ username: named('f.suspended') })).status, 200);
	const ann = await dashboard.signedIn(`ann@${reseller}.example`, reseller);
	return { reseller, api, ann, keys };
}

/** Asserts that pages, details, checks, the dashboard and its file all say this, and that lists are filtered by it. */
async function assertSaid({ reseller, api, ann, keys }: Awaited<ReturnType<typeof start>>, said: typeof ALONE) {
	const usernames = [...keys.keys()];
	const saidOf = Object.entries(said).map(([end, [reason, state]]) => ({
		...{ username: `${reseller}.${end}`, usable: reason === null, reason, state },
	}));
	const withReason = saidOf.map(({ state: _, ...each }) => each);
	const withState = saidOf.map(({ username, state }) => ({ username, state }));

	const { sub_users: rows, next } = (await api.viewPage({})).data;
	const shown = (row: (typeof rows)[number]) => ({ username: row.username, usable: row.usable, reason: row.reason });
	assert.deepEqual([rows.map(shown), next], [withReason, null]);
	const details = await Promise.all(usernames.map(async (username) => (await api.viewDetails({ username })).data));
	assert.deepEqual(details.map(shown), withReason);
	const checks = await Promise.all(
		usernames.map(async (username) => (await edge.check({ username, password: keys.get(username) })).body),
	);
	assert.deepEqual(
		checks.map(({ ok, reason }, index) => ({ username: usernames[index], usable: ok, reason })),
		withReason,
	);

	const listed = (await ann.read('/sub-users')).sub_users;
	assert.deepEqual((await olga.read('/operator/sub-users', { reseller })).sub_users, listed);
	assert.deepEqual(
		listed.map(({ username, state }) => ({ username, state })),
		withState,
	);
	for (const [index, { username, state }] of withState.entries()) {
		const page = await ann.read('/sub-user', { username });
		const toOlga = await olga.read('/operator/sub-user', { reseller, username });
		assert.ok(toOlga.deleted === null);
		assert.deepEqual([page.state, toOlga.state], [state, state]);
		// All of them say the same bytes, too.
		assert.deepEqual(listed[index]?.used, rows[index].used);
		assert.deepEqual(
			[details[index].used, page.used, toOlga.used],
			Array(3).fill({ ...rows[index].used, connections: null }),
		);
	}
	const file = (await (await ann.download('/sub-users.csv', { zone: 'UTC' })).text()).split('\r\n').slice(1, -1);
	const cells = file.map((line) => line.split(',').slice(5, 11));
	assert.deepEqual(
		cells,
		saidOf.map(({ usable, reason, state }, index) => {
			const { day_bytes, month_bytes, total_bytes } = rows[index].used;
			return [state, usable, reason ?? '', day_bytes, month_bytes, total_bytes].map(String);
		}),
	);

	const namesWhere = (isWanted: (each: (typeof saidOf)[number]) => boolean) =>
		saidOf.filter(isWanted).map(({ username }) => username);
	const found = async (filter: object) =>
		(await api.viewPage(filter)).data.sub_users.map((row: { readonly username: string }) => row.username);
	for (const usable of [true, false]) {
		assert.deepEqual(
			await found({ usable }),
			namesWhere((each) => each.usable === usable),
		);
	}
	for (const reason of UNUSABLE_REASONS) {
		assert.deepEqual(
			await found({ reason }),
			namesWhere((each) => each.reason === reason),
		);
		assert.deepEqual(await found({ reason, usable: true }), []);
	}
	const counts = await ann.read('/sub-users/states');
	for (const state of [...PAIR_STATES, 'refused'] as const) {
		const wanted = namesWhere((each) => (state === 'refused' ? !each.usable : each.state === state));
		const { sub_users } = await ann.read('/sub-users', { state });
		assert.deepEqual(
			sub_users.map(({ username }) => username),
			wanted,
		);
		assert.deepEqual(await ann.read('/sub-users/count', { state }), { count: wanted.length, before: 0 });
		if (state !== 'refused') assert.equal(counts[state], wanted.length);
	}
}

test('pages, details, checks, dashboard and files say the same of each pair, and why not', async () => {
	const acme = await start('acme');
	await assertSaid(acme, ALONE);
	const states = async () => [
		(await acme.ann.read('/overview')).pair,
		(await olga.read('/operator/reseller', { reseller: 'acme' })).pair,
	];
	assert.deepEqual(await states(), ['no_balance', 'no_balance']);
	const { data } = await acme.api.viewPage({ reason: 'limit_reached', limit: 2, prefix: 'ACME', state: 'active' });
	assert.deepEqual(
		data.sub_users.map(({ username }: { readonly username: string }) => username),
		['acme.a.day', 'acme.d.month'],
	);
	assert.equal(data.next, 'acme.d.month');
});

test('while the whole reseller is suspended, all of them say so', async () => {
	const stopped = await start('stopped');
	await olga.change('/operator/suspend', { reseller: 'stopped' });
	const all = ENDS.map((end): [string, Said] => [end, ['suspended', 'reseller_suspended']]);
	await assertSaid(stopped, { ...Object.fromEntries(all), 'f.suspended': ['suspended', 'suspended'] });
	assert.equal((await stopped.ann.read('/overview')).pair, 'reseller_suspended');
	const { usable, reason } = (await stopped.api.viewAccount({})).data;
	assert.deepEqual([usable, reason], [false, 'suspended']);
});

test('while the debt of the reseller is beyond its line, all of them say so, unless an earlier reason holds', async () => {
	const indebted = await start('indebted', 2 * GB);
	const all = ENDS.map((end): [string, Said] => [end, ['exhausted', 'reseller_in_debt']]);
	const { 'b.expired': expired, 'f.suspended': suspended } = ALONE;
	assert.ok(expired && suspended);
	await assertSaid(indebted, { ...Object.fromEntries(all), 'b.expired': expired, 'f.suspended': suspended });
	assert.equal((await indebted.ann.read('/overview')).pair, 'reseller_in_debt');
	const { usable, reason } = (await indebted.api.viewAccount({})).data;
	assert.deepEqual([usable, reason], [false, 'exhausted']);
});
