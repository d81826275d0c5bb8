import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { MovementFilter, MovementPage } from '@bursar/contract/dashboard';
import { runAll } from '../../../store/suite/engine.ts';
import { postUsage } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const GB = 1_000_000_000;
const STEP_MS = 2_000;

const { store, clock, faults, operator: newOperator, resellerWithPerson } = await startDashboard(wholeFile);
const operator = await newOperator();
const acme = await resellerWithPerson('acme');
clock.stop();
await acme.browser.change('/sub-users/create', { username: 'alice' });
await acme.browser.change('/sub-users/give', { username: 'alice', amount: 500 });
await operator.change('/operator/price', { reseller: 'acme', price: 1_000_000 });

async function use(username: string, bytesUp: number): Promise<void> {
	const report = { source: 's', id: randomUUID(), username, atMs: clock.nowMs(), bytesUp, bytesDown: 0 };
	assert.equal((await store.recordUsage([report], clock.nowMs())).kind, 'committed');
}

async function liveCents(username: string): Promise<number | undefined> {
	return (await store.findAccount('acme', username))?.balanceCents;
}

/** What leads from the newest line of the account to its balance. */
function assertLeads(page: MovementPage, username: string, live: number | undefined): void {
	const last = page.movements.find(({ of, balance }) => of === username && balance !== null);
	assert.equal((last?.balance ?? 0) - (page.today?.cost ?? 0), live, username);
	if (page.today) assert.equal(page.today.balance, live);
}

test('the newest line and what was used since then lead to the balance, for the reseller, its operator and a sub-user', async () => {
	assert.equal((await acme.browser.read('/statement')).today, null, 'nothing was used');
	const since = new Date(clock.nowMs()).toISOString();
	await use('acme', GB);
	await use('alice', 2 * GB + 1);
	const own = await acme.browser.read('/statement', { money: 'own' });
	assert.deepEqual(own.today, { bytes: GB, cost: 100, balance: 390, since });
	assertLeads(own, 'acme', await liveCents('acme'));
	assert.deepEqual((await operator.read('/operator/statement', { reseller: 'acme' })).today, own.today);
	const ofAlice = await acme.browser.read('/statement', { username: 'alice' });
	assert.deepEqual(ofAlice.today, { bytes: 2 * GB + 1, cost: 200, balance: 300, since });
	assertLeads(ofAlice, 'alice', await liveCents('alice'));
	const theirs = await operator.read('/operator/statement', { reseller: 'acme', username: 'alice' });
	assert.deepEqual(theirs.today, ofAlice.today);
});

test('only the first page of what includes now has it', async () => {
	const now = clock.nowMs();
	const time = (ms: number) => new Date(ms).toISOString();
	const shown: readonly MovementFilter[] = [{}, { money: 'own' }, { from: time(now) }, { to: time(now + 1) }];
	const hidden: readonly (MovementFilter & { readonly before?: number })[] = [
		{ before: 100 },
		{ kind: 'usage' },
		{ money: 'no_bandwidth' },
		{ reference: 'order-1' },
		{ from: time(now + 1) },
		{ to: time(now) },
	];
	for (const query of shown) assert.ok((await acme.browser.read('/statement', query)).today, JSON.stringify(query));
	for (const query of hidden)
		assert.equal((await acme.browser.read('/statement', query)).today, null, JSON.stringify(query));
});

test('what is posted while a page is read stands there once', async () => {
	const live = await liveCents('acme');
	faults.findUnposted = async (account) => {
		const found = await store.findUnposted(account);
		await runAll(store, [postUsage('acme', 'acme', 'alice')], clock.nowMs());
		return found;
	};
	const during = await acme.browser.read('/statement', { money: 'own' });
	delete faults.findUnposted;
	assert.equal(during.today?.cost, 100);
	assertLeads(during, 'acme', live);
	const after = await acme.browser.read('/statement', { money: 'own' });
	assert.equal(after.today, null);
	assert.equal(after.movements[0]?.kind, 'usage');
	assertLeads(after, 'acme', live);
});

test('the own balance, page by page, has each of its lines once, and none of a sub-user; each line leads to the next', async () => {
	for (let round = 1; round <= 60; round++) {
		clock.stoppedAtMs = clock.nowMs() + STEP_MS;
		await use('alice', GB / 100);
		await use('acme', GB / 100);
		await runAll(store, [postUsage('acme', 'alice', 'acme')], clock.nowMs());
	}
	const own = await pagesOf({ money: 'own' });
	assert.equal(own.length, 3 + 1 + 60);
	assert.equal(new Set(own.map(({ number }) => number)).size, own.length);
	for (const [index, { balance, amount, of }] of own.entries()) {
		assert.equal(of, 'acme');
		assert.equal(balance, (own[index + 1]?.balance ?? 0) + amount);
	}
	const plain = await pagesOf({ money: 'no_bandwidth' });
	assert.deepEqual(
		plain.map(({ kind }) => kind),
		['give', 'create_fee', 'top_up'],
	);
	assert.equal((await pagesOf({})).length, own.length + 61);
	// The summary above them has the same sums.
	const bounds = '1970-01-01T00:00:00.000Z,2100-01-01T00:00:00.000Z';
	const [period] = (await acme.browser.read('/statement/periods', { bounds })).periods;
	const totals = period?.summary?.totals.filter(({ of }) => of === 'balance') ?? [];
	assert.equal(
		totals.reduce((sum, { count }) => sum + count, 0),
		own.length,
	);
	assert.equal(
		totals.reduce((sum, { amount }) => sum + amount, 0),
		own.reduce((sum, { amount }) => sum + amount, 0),
	);
	assert.equal(period?.summary?.closing, own[0]?.balance);
});

async function pagesOf(filter: MovementFilter) {
	const all = [];
	let before: number | null | undefined;
	do {
		const page: MovementPage = await acme.browser.read('/statement', { ...filter, ...(before && { before }) });
		all.push(...page.movements);
		before = page.next_before;
	} while (before !== null);
	return all;
}
