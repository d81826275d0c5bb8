import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNUSABLE_REASONS } from '@bursar/contract/sub-user-terms';
import type { Account } from '../../../src/domain/account.ts';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	giveBalance,
	judgeUsable,
	keyOf,
	NOON_MS,
	setLimits,
	setPrice,
	suspendSubUser,
} from '../../support/commands.ts';
import { allRows, type Engine, record, run, runAll } from './engine.ts';

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

	test('steps find exactly those in a state of whom one of some things was told, in the order of names', async (t) => {
		const { store } = await engine.open(t);
		const nowMs = store.nowMs();
		const kinds = [
			{ told: null, state: 'active' },
			{ told: 'suspended', state: 'suspended' },
			{ told: 'expired', state: 'expired' },
			{ told: 'exhausted', state: 'active' },
			{ told: 'limit_reached', state: 'active' },
			// Its end is over, and that was not told yet.
			{ told: null, state: 'expired' },
		] as const;
		const users = [...'abcd'].flatMap((letter) =>
			kinds.map((kind, index) => ({ ...kind, username: `${letter}${index % 3}.user.${index}`, index })),
		);
		const namesOf = (...indexes: readonly number[]) =>
			users.flatMap(({ username, index }) => (indexes.includes(index) ? [username] : []));
		await runAll(store, [
			createReseller('acme', 10_000),
			...['other', 'a0.user'].map((name) => createReseller(name, 100)),
			setPrice('acme', 1_000_000),
			setPrice('other', 1_000_000),
			...users.map(({ username }) => createSubUser('acme', username)),
			...namesOf(0, 1, 2, 4, 5).map((username) => giveBalance('acme', username, 100)),
			createSubUser('other', 'b0.user'),
		]);
		const reports = namesOf(4).map((username) => ({ source: 's', id: username, username, atMs: nowMs }));
		await record(
			store,
			reports.map((report) => ({ ...report, bytesUp: 3, bytesDown: 4 })),
			nowMs,
		);
		const before = namesOf(4).map((username) => setLimits('acme', username, { totalBytes: 7 }));
		const ends = namesOf(2, 5).map((username) => setLimits('acme', username, { expiresAtMs: nowMs }));
		await runAll(
			store,
			[...before, ...ends, ...namesOf(1).map((username) => suspendSubUser('acme', username))],
			nowMs - 1,
		);
		await runAll(store, [judgeUsable('acme', ...namesOf(2))], nowMs);

		/** The names on all steps. */
		async function walk(query: Omit<Parameters<typeof store.listSubUsersInState>[0], 'reseller' | 'after'>) {
			const names: string[] = [];
			for (let after: string | null = ''; after !== null; ) {
				const step = await store.listSubUsersInState({ ...query, reseller: 'acme', after });
				assert.ok(step.subUsers.length <= query.limit);
				for (const { username, state } of step.subUsers) {
					assert.equal(state, users.find((user) => user.username === username)?.state);
					names.push(username);
				}
				after = step.next;
			}
			return names;
		}
		const all = [null, ...UNUSABLE_REASONS];
		const sets = Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_, index) => bits & (1 << index)));
		for (const told of [undefined, ...sets]) {
			for (const state of [undefined, 'active', 'suspended', 'expired'] as const) {
				for (const [prefix, limit] of [['', 100] as const, ['', 2] as const, ['b', 3] as const]) {
					const wanted = users.filter(
						(user) =>
							(told ?? all).includes(user.told) &&
							(state ?? user.state) === user.state &&
							user.username.startsWith(prefix),
					);
					const names = wanted.map(({ username }) => username).toSorted();
					assert.deepEqual(await walk({ told, state, prefix, limit }), names, `${told} ${state} ${prefix}`);
				}
			}
		}
	});

	test('a step looks at a thousand names, or at as many that were told a reason, and the next one goes on behind them', async (t) => {
		const { store, insert } = await engine.open(t);
		const wanted = ['a.first', 'z.last'];
		await runAll(store, [
			createReseller('acme', 1000),
			...wanted.map((name) => createSubUser('acme', name)),
			...wanted.map((name) => suspendSubUser('acme', name)),
		]);
		// Their keys cannot be opened, so no step may have them.
		const others = Array.from({ length: 1_200 }, (_, index) => ({
			...{ reseller: 'acme', username: `m.${index}`, balance_cents: 0, sealed_auth_key: 'x', created_at_ms: 1 },
			...{ expires_at_ms: 1, told_reason: index % 2 ? 'expired' : 'exhausted' },
		}));
		await insert({ accounts: others });
		const names = others.map(({ username }) => username).toSorted();
		const step = async (query: object, after: string) => {
			const found = await store.listSubUsersInState({ reseller: 'acme', prefix: '', after, limit: 5, ...query });
			return [found.subUsers.map(({ username }) => username), found.next];
		};
		const told = ['suspended'] as const;
		// Of those with a reason, 'a.first' and 999 others come first.
		assert.deepEqual(await step({ told }, ''), [['a.first'], names[998]]);
		assert.deepEqual(await step({ told }, names[998] as string), [['z.last'], null]);
		assert.deepEqual(await step({ state: 'suspended' }, ''), [['a.first'], names[998]]);
		assert.deepEqual(await step({ told: [null] }, ''), [[], names[998]]);
		assert.deepEqual(await step({ state: 'active' }, ''), [[], names[998]]);
		// Only the others have an end.
		assert.deepEqual(await step({ told: [null], state: 'expired' }, ''), [[], names[999]]);
		assert.deepEqual(await step({ told, prefix: 'z' }, ''), [['z.last'], null]);
	});

	test('what many sub-users have used is what the details of each say: today, this month and ever', async (t) => {
		const { store } = await engine.open(t);
		const atMs = store.nowMs();
		const names = Array.from({ length: 60 }, (_, index) => `user.${index}`);
		await runAll(store, [
			...[createReseller('acme', 10_000), createReseller('other', 100), createSubUser('other', 'foreign')],
			...names.map((name) => createSubUser('acme', name)),
		]);
		// The last day of the month before.
		const lastMonthMs = startOfDayMs(usageDayOf(atMs) - new Date(atMs).getUTCDate());
		const reports = [
			{ username: 'user.3', atMs },
			{ username: 'user.3', atMs },
			{ username: 'user.3', atMs: lastMonthMs },
			{ username: 'user.59', atMs: lastMonthMs },
			{ username: 'acme', atMs },
			{ username: 'foreign', atMs },
		];
		await record(
			store,
			reports.map((report, index) => ({
				...report,
				source: 's',
				id: `report ${index}`,
				bytesUp: 10 ** index,
				bytesDown: 0,
			})),
			atMs,
		);
		const usernames = [...names, 'foreign', 'nobody'];
		const used = await store.readUsed({ reseller: 'acme', usernames, atMs });
		assert.deepEqual(Object.fromEntries(used), {
			'user.3': { usedOfDay: 11, usedOfMonth: 11, usedOfTotal: 111 },
			'user.59': { usedOfDay: 0, usedOfMonth: 0, usedOfTotal: 1000 },
		});
		for (const [name, bytes] of used) assert.partialDeepStrictEqual(await store.findDetails('acme', name), bytes);
	});
}

/** Creates one account just before the end of a page and one just after it, unless they exist. */
async function addAround(store: Store, page: readonly Account[]): Promise<void> {
	const last = page.at(-1)?.username.slice(0, -1);
	if (last?.startsWith('user'))
		await run(store, [createSubUser('acme', `${last}a`), createSubUser('acme', `${last}c`)]);
}
