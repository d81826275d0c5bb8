import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DashboardReads } from '@bursar/contract/dashboard';
import { MOST_AT_ONCE, NAMES_AT_ONCE } from '@bursar/contract/dashboard-limits';
import type { Command } from '../../../../src/commands/registry.ts';
import { createSubUser, giveBalance } from '../../../support/commands.ts';
import { type Browser, startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const { store, clock, openReseller, signedIn, resellerWithPerson } = await startDashboard(wholeFile);
const { browser: bob } = await resellerWithPerson('bolt');
await bob.change('/sub-users/create', { username: 'bolt_user' });

/** A person of a new reseller that has sub-users with these names, the n-th with n cents, made in this order. */
async function startWith(reseller: string, usernames: readonly string[], cents = 10_000): Promise<Browser> {
	await openReseller(reseller, cents);
	for (const [index, username] of usernames.entries()) {
		const commands: Command[] = [createSubUser(reseller, username)];
		if (index > 0) commands.push(giveBalance(reseller, username, index));
		assert.equal((await store.runCommands(commands, clock.nowMs() + index)).kind, 'committed');
	}
	return signedIn(`ann@${reseller}.example`, reseller);
}

async function namesOf(browser: Browser, query: DashboardReads['/sub-users']['query']): Promise<string[]> {
	return (await browser.read('/sub-users', query)).sub_users.map(({ username }) => username);
}

test('pages of 50 lead forth and back, and the count says how many are before', async () => {
	const names = Array.from({ length: 60 }, (_, index) => `user_${String((index * 7) % 60).padStart(3, '0')}`);
	const browser = await startWith('paged', names);
	// The n-th has n cents.
	const query = { order: '-balance', search: 'SER_', match: 'anywhere' } as const;
	const first = await browser.read('/sub-users', query);
	const second = await browser.read('/sub-users', { ...query, after: first.next ?? '' });
	const shown = [...first.sub_users, ...second.sub_users].map(({ username }) => username);
	assert.deepEqual([first.sub_users.length, first.previous, second.next, shown], [50, null, null, names.toReversed()]);
	assert.deepEqual(await browser.read('/sub-users', { ...query, before: second.previous ?? '' }), first);
	const counted = await browser.read('/sub-users/count', { ...query, first: second.previous ?? '' });
	assert.deepEqual(counted, { count: 60, before: 50 });
	// A page that has become empty shows the first one.
	assert.deepEqual(await browser.read('/sub-users', { ...query, after: '0~0000' }), first);
});

test('an entry has its balance, what it used in 30 days, and when it was made; nothing secret', async () => {
	const browser = await startWith('listed', ['alice', 'bobby']);
	const atMs = clock.nowMs();
	await store.recordUsage([{ source: 's', id: '1', username: 'bobby', atMs, bytesUp: 5, bytesDown: 6 }], atMs);
	const usedOf = (bytes: number) => ({ day_bytes: bytes, month_bytes: bytes, total_bytes: bytes });
	const created = async (name: string) =>
		new Date((await store.findAccount('listed', name))?.createdAtMs ?? 0).toISOString();
	assert.deepEqual(await browser.read('/sub-users'), {
		sub_users: [
			{
				username: 'alice',
				balance: 0,
				state: 'active',
				opens: null,
				up: 0,
				down: 0,
				used: usedOf(0),
				created: await created('alice'),
				note: '',
			},
			{
				username: 'bobby',
				balance: 1,
				state: 'active',
				opens: null,
				up: 5,
				down: 6,
				used: usedOf(11),
				created: await created('bobby'),
				note: '',
			},
		],
		next: null,
		previous: null,
		price: null,
	});
	const details = await browser.read('/sub-user', { username: 'BOBBY' });
	assert.partialDeepStrictEqual(details, {
		...{ username: 'bobby', balance: 1, created: await created('bobby') },
		...{ reseller_balance: 10_000 - 2 * 10 - 1, price: null },
	});
	assert.ok(!JSON.stringify(details).includes('key'));
});

test('a search takes its text literally, also in notes, and neither it nor a position finds anybody of another reseller', async () => {
	const browser = await startWith('searched', ['alina', 'al_ce', 'al.ce', 'malice', 'user_1']);
	assert.deepEqual(await namesOf(browser, { search: 'AL_' }), ['al_ce']);
	assert.deepEqual(await namesOf(browser, { search: '' }), ['al.ce', 'al_ce', 'alina', 'malice', 'user_1']);
	assert.deepEqual(await namesOf(browser, { search: '.', match: 'anywhere' }), ['al.ce']);
	for (const search of ['bolt', '%', "'", '\\', '<script>', '\u0000', '\u202eal', 'x'.repeat(8000), '\u212aelly']) {
		const query = { search, match: 'anywhere' } as const;
		const page = await browser.read('/sub-users', query);
		assert.deepEqual(page, { sub_users: [], next: null, previous: null, price: null }, search);
		assert.deepEqual(await browser.read('/sub-users/count', query), { count: 0, before: 0 });
	}
	await browser.change('/sub-users/note', { username: 'malice', note: 'Für 100 %: Straße_7' });
	for (const search of ['für 100', '%', 'STRASSE_7'.replace('SS', 'ß'), 'lic']) {
		const query = { search, match: 'anywhere' } as const;
		assert.deepEqual(await namesOf(browser, query), ['malice'], search);
		assert.equal((await browser.read('/sub-users/count', query)).count, 1);
	}
	assert.deepEqual(await namesOf(browser, { search: 'für' }), []);
	assert.deepEqual(await namesOf(browser, { after: 'bolt_user' }), ['malice', 'user_1']);
	const poorest = await namesOf(browser, { order: 'balance', after: '0~bolt_user' });
	assert.deepEqual(poorest, ['al_ce', 'al.ce', 'malice', 'user_1']);
});

test('a name of another reseller, or of nobody, is unknown in every read and every change', async () => {
	const browser = await startWith('strange', []);
	const before = await store.findAccount('bolt', 'bolt_user');
	for (const username of ['bolt_user', 'bolt', 'strange', 'nobody', '', '<script>alert(1)</script>', 'al\u0000ce']) {
		const name = encodeURIComponent(username);
		assert.equal(await browser.read('/sub-user', { username }), null);
		for (const path of [
			'/bandwidth?range=7d&',
			'/statement?',
			'/bandwidth.csv?range=7d&zone=UTC&',
			'/statement.csv?zone=UTC&',
		]) {
			await browser.refused('unknown_sub_user', `${path}username=${name}`);
		}
		for (const path of ['/sub-users/give', '/sub-users/take', '/sub-users/reset-key', '/sub-users/show-key']) {
			if (path === '/sub-users/show-key' && username === 'strange') continue;
			await browser.refused('unknown_sub_user', path, { act: randomUUID(), username, amount: 1 });
		}
	}
	assert.deepEqual(await store.findAccount('bolt', 'bolt_user'), before);
	assert.equal((await browser.read('/account/acts')).acts.length, 1, 'only the invitation was accepted');
});

test('the names of all that match are listed for a run, as many as one run may have', async () => {
	const browser = await startWith('matching', ['shop_a', 'shop_b', 'other'], 100_000);
	await browser.change('/sub-users/suspend', { username: 'shop_b' });
	const names = (query: DashboardReads['/sub-users/names']['query']) => browser.read('/sub-users/names', query);
	const only = (...usernames: readonly string[]) => ({ usernames, has_more: false });
	assert.deepEqual(await names({}), only('other', 'shop_a', 'shop_b'));
	assert.deepEqual(await names({ search: 'shop', state: 'active' }), only('shop_a'));
	assert.deepEqual(await names({ search: 'HER', match: 'anywhere' }), only('other'));
	assert.deepEqual(await names({ search: 'bolt_user' }), only(), 'of another reseller');
	assert.deepEqual(await names({ search: '%' }), only());
	const many = Array.from({ length: MOST_AT_ONCE - 2 }, (_, index) =>
		createSubUser('matching', `user${10_000 + index}`),
	);
	assert.equal((await store.runCommands(many, clock.nowMs())).kind, 'committed');
	const { usernames, has_more } = await names({});
	assert.deepEqual([usernames.length, usernames.at(-1), has_more], [MOST_AT_ONCE, 'user14996', true]);
	assert.equal((await names({ search: 'user' })).usernames.length, MOST_AT_ONCE - 2);
});

test('names are looked up before a run: own sub-users with balance and state, and names that are used up', async () => {
	const browser = await startWith('looked', ['look.one', 'look.two', 'look.end']);
	await browser.change('/sub-users/suspend', { username: 'look.two' });
	await browser.change('/sub-users/delete', { username: 'look.end' });
	const usernames = ['LOOK.one', 'look.two', 'look.two', 'look.end', 'looked', 'bolt', 'bolt_user', 'nobody', 'x', '%'];
	const { sub_users, used } = await browser.change('/sub-users/look', { usernames });
	assert.deepEqual(
		sub_users.toSorted((one, other) => one.username.localeCompare(other.username)),
		[
			{ username: 'look.one', balance: 0, state: 'active' },
			{ username: 'look.two', balance: 1, state: 'suspended' },
		],
	);
	assert.deepEqual(used.toSorted(), ['look.end', 'looked']);
	const most = Array.from({ length: NAMES_AT_ONCE }, (_, index) => `${'user'.repeat(7)}.${100 + index}`);
	assert.deepEqual(await browser.change('/sub-users/look', { usernames: most }), { sub_users: [], used: [] });
	await browser.refused('invalid_request', '/sub-users/look', { usernames: [...most, 'alice'] });
});
