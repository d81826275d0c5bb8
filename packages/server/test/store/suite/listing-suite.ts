import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../src/domain/account.ts';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance, keyOf, NOON_MS } from '../../support/commands.ts';
import { type Engine, run, runAll } from './engine.ts';

const ALL_BY_NAME = { search: '', by: 'name', descends: false } as const;

/** Tests lists, page by page. */
export function listingSuite(engine: Engine): void {
	test('the pages list each sub-user of the reseller once, by username, and no other account', async (t) => {
		const { store } = await engine.open(t);
		// Byte order and language order sort these names differently.
		const names = ['user.b', 'user_a', 'user0', 'user', 'userb', 'use.r', 'us_er', '0user', 'user.a', 'a.b.c.d'];
		await runAll(store, [
			createReseller('middle', 1000),
			createReseller('other', 1000),
			createSubUser('other', 'user1'),
			...names.map((name) => createSubUser('middle', name)),
			giveBalance('middle', 'user0', 7),
		]);
		for (const limit of [1, 2, 3, names.length, names.length + 1]) {
			const found = await all(limit, (after) => store.listSubUsers('middle', after, limit));
			assert.deepEqual(
				found.map(({ username }) => username),
				names.toSorted(),
			);
			assert.deepEqual(
				found.find(({ username }) => username === 'user0'),
				{ reseller: 'middle', username: 'user0', balanceCents: 7, proxyAuthkey: keyOf('user0'), createdAtMs: NOON_MS },
			);
		}
	});

	test('the page of a reseller without sub-users, or of an unknown one, is empty', async (t) => {
		const { store } = await engine.open(t);
		assert.deepEqual(await store.listResellersBy({ ...ALL_BY_NAME, limit: 10 }), []);
		await runAll(store, [createReseller('acme', 0)]);
		assert.deepEqual(await store.listSubUsers('acme', '', 10), []);
		assert.deepEqual(await store.listSubUsers('nobody', '', 10), []);
	});

	test('the pages of resellers list each reseller once, and no sub-user', async (t) => {
		const { store } = await engine.open(t);
		const names = ['acme', 'beta', 'gamma', 'delta'];
		await runAll(
			store,
			names.map((name, place) => createReseller(name, 100 + place)),
		);
		await runAll(store, [createSubUser('acme', 'alice'), createSubUser('delta', 'zora')]);
		for (const limit of [1, 3, 10]) {
			const found = await all(limit, (after) =>
				store.listResellersBy({
					...ALL_BY_NAME,
					after: after === '' ? undefined : { username: after, value: 0 },
					limit,
				}),
			);
			assert.deepEqual(
				found.map(({ username, balanceCents }) => [username, balanceCents]),
				[
					['acme', 90],
					['beta', 101],
					['delta', 93],
					['gamma', 102],
				],
			);
		}
	});

	test('accounts that exist before the first page are listed once, whatever is added meanwhile', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const writer = await openAnother();
		const before = Array.from({ length: 30 }, (_, n) => `user${n}b`);
		await runAll(store, [createReseller('acme', 10_000), ...before.map((name) => createSubUser('acme', name))]);
		const found = await all(7, async (after) => {
			const page = await store.listSubUsers('acme', after, 7);
			await addAround(writer, page);
			return page;
		});
		const names = found.map(({ username }) => username);
		assert.equal(new Set(names).size, names.length);
		assert.deepEqual(before.toSorted(), names.filter((name) => before.includes(name)).toSorted());
	});
}

/** Creates one account just before the end of a page and one just after it, unless they exist. */
async function addAround(store: Store, page: readonly Account[]): Promise<void> {
	const last = page.at(-1)?.username.slice(0, -1);
	if (last?.startsWith('user'))
		await run(store, [createSubUser('acme', `${last}a`), createSubUser('acme', `${last}c`)]);
}

async function all<Row extends Pick<Account, 'username'>>(
	limit: number,
	page: (after: string) => Promise<readonly Row[]>,
): Promise<Row[]> {
	const found: Row[] = [];
	for (;;) {
		const next = await page(found.at(-1)?.username ?? '');
		assert.ok(next.length <= limit);
		if (next.length === 0) return found;
		found.push(...next);
	}
}
