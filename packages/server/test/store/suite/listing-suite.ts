import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../src/domain/account.ts';
import type { Store } from '../../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance, keyOf, NOON_MS } from '../../support/commands.ts';
import { allRows, type Engine, run, runAll } from './engine.ts';

/** Tests lists, page by page. */
export function listingSuite(engine: Engine): void {
	test('the pages list each sub-user of the reseller once, by username, and no other account', async (t) => {
		const { store } = await engine.open(t);
		// Byte order and language order sort these names differently.
		const names = ['user.b', 'user_a', 'user0', 'user', 'userb', 'use.r', 'us_er', '0user', 'user.a', 'a.b.c.d'];
		await runAll(store, [
			createReseller('middle', 1000),
			createReseller('earlier', 1000),
			createReseller('other', 1000),
			createSubUser('earlier', 'user2'),
			createSubUser('other', 'user1'),
			...names.map((name) => createSubUser('middle', name)),
			giveBalance('middle', 'user0', 7),
		]);
		for (const limit of [1, 2, 3, names.length, names.length + 1]) {
			const found = await allRows<Account>(limit, (last) => store.listSubUsers('middle', last?.username ?? '', limit));
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

	test('accounts that exist before the first page are listed once, whatever is added meanwhile', async (t) => {
		const { store, openAnother } = await engine.open(t);
		const writer = await openAnother();
		const before = Array.from({ length: 30 }, (_, n) => `user${n}b`);
		await runAll(store, [createReseller('acme', 10_000), ...before.map((name) => createSubUser('acme', name))]);
		const found = await allRows<Account>(7, async (last) => {
			const page = await store.listSubUsers('acme', last?.username ?? '', 7);
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
