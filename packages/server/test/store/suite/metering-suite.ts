import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/commands/registry.ts';
import { UNITS_OF_CENT } from '../../../src/domain/metering.ts';
import type { Store } from '../../../src/store/store.ts';
import type { DueAccount } from '../../../src/store/tables/meters/reads.ts';
import {
	createReseller,
	createSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import { allRows, assertSoundLedger, balanceOf, type Engine, endings, record, run, runAll } from './engine.ts';

const GB = 1_000_000_000;
const HOUR_MS = 3_600_000;

/** How often each of several does what it does. */
const ROUNDS = 15;

async function repeat(work: (round: number) => Promise<unknown>): Promise<void> {
	for (let round = 0; round < ROUNDS; round++) await work(round);
}

/** Tests that bandwidth is paid for exactly: whatever happens, in whatever order. */
export function meteringSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [
			createReseller('acme', 1000),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
			giveBalance('acme', 'alice', 500),
		]);
		return opened;
	}

	let reports = 0;
	function use(store: Store, username: string, bytesUp: number, nowMs = NOON_MS, atMs = nowMs) {
		return record(store, [{ source: 's', id: `${reports++}`, username, atMs, bytesUp, bytesDown: 0 }], nowMs);
	}

	test('the pair says after how many bytes nothing is left', async (t) => {
		const { store } = await open(t);
		const left = async (username: string) => (await store.readPairs([username])).get(username)?.leftBytes;
		assert.equal(await left('alice'), null);
		await runAll(store, [setPrice('acme', 3_333_333)]);
		const whole = await left('alice');
		assert.equal(whole, Math.ceil((500 * UNITS_OF_CENT) / 3_333_333));
		await use(store, 'alice', 7);
		assert.equal(await left('alice'), (whole ?? 0) - 7);
		await use(store, 'alice', (whole ?? 0) - 8);
		assert.deepEqual([await left('alice'), await balanceOf(store, 'acme', 'alice')], [1, 1]);
		await use(store, 'alice', 1);
		assert.deepEqual([await left('alice'), await balanceOf(store, 'acme', 'alice')], [0, 0]);
		assert.equal(await left('bruno'), 0);
	});

	test('accounts that owe since before a time are listed by key, in pages; those that owe nothing, or since later, are not', async (t) => {
		const { store } = await open(t);
		await runAll(store, [
			createReseller('zeta', 500),
			createSubUser('zeta', 'zoe'),
			giveBalance('zeta', 'zoe', 300),
			giveBalance('acme', 'alice', 100),
			giveBalance('acme', 'bruno', 200),
			setPrice('acme', 1_000_000),
			setPrice('zeta', 1_000_000),
		]);
		for (const username of ['alice', 'bruno', 'acme', 'zoe']) await use(store, username, GB, NOON_MS + 1);
		await use(store, 'zeta', 1, NOON_MS + 1);
		await runAll(store, [setPrice('acme', 2_000_000)], NOON_MS + 2);
		await use(store, 'alice', GB, NOON_MS + 3);
		const pages = async (dueSinceBeforeMs: number, limit: number) => {
			const page = (after?: DueAccount) => store.listDueAccounts({ dueSinceBeforeMs, after, limit });
			return (await allRows<DueAccount>(limit, page)).map(({ reseller, username }) => `${reseller} ${username}`);
		};
		const all = ['acme acme', 'acme alice', 'acme bruno', 'zeta zoe'];
		for (const limit of [1, 2, 300]) assert.deepEqual(await pages(NOON_MS + 2, limit), all);
		assert.deepEqual(await pages(NOON_MS + 1, 300), []);
		await runAll(store, [postUsage('acme', 'alice', 'acme')], NOON_MS + 4);
		assert.deepEqual(await pages(NOON_MS + 2, 1), ['acme bruno', 'zeta zoe']);
		await use(store, 'alice', GB, NOON_MS + 5);
		assert.deepEqual(await pages(NOON_MS + 2, 1), ['acme bruno', 'zeta zoe']);
		assert.deepEqual(await pages(NOON_MS + 5, 1), ['acme bruno', 'zeta zoe']);
		assert.deepEqual(await pages(NOON_MS + 6, 1), ['acme alice', 'acme bruno', 'zeta zoe']);
	});

	test('the prices of a reseller are read, the newest first, and only its own; the present one is the last', async (t) => {
		const { store } = await open(t);
		await runAll(store, [createReseller('zeta')]);
		assert.deepEqual([await store.listPrices('acme', 10), await store.findPrice('acme')], [[], undefined]);
		for (const [index, price] of [3_500_000, null, 1].entries()) {
			await runAll(store, [setPrice('acme', price)], NOON_MS + index);
		}
		await runAll(store, [setPrice('zeta', 7)]);
		const doer = { requestId: 'test-request', email: null, address: null, systemUser: null, operatorToken: null };
		assert.deepEqual(await store.listPrices('acme', 2), [
			{ number: 3, microUsdPerGb: 1, setAtMs: NOON_MS + 2, ...doer },
			{ number: 2, microUsdPerGb: null, setAtMs: NOON_MS + 1, ...doer },
		]);
		assert.equal((await store.listPrices('acme', 10)).length, 3);
		const listed = await store.listResellersBy({ search: '', by: 'name', descends: false, limit: 10 });
		assert.deepEqual(
			listed.map(({ username, microUsdPerGb }) => [username, microUsdPerGb]),
			[
				['acme', 1],
				['zeta', 7],
			],
		);
		assert.deepEqual(await store.findPrice('acme'), { microUsdPerGb: 1, meteredSinceMs: NOON_MS + 2 });
		assert.deepEqual(await store.findPrice('zeta'), { microUsdPerGb: 7, meteredSinceMs: NOON_MS });
		await runAll(store, [setPrice('acme', null)], NOON_MS + 3);
		assert.equal(await store.findPrice('acme'), undefined);
		assert.equal((await store.readState()).meteredResellers, 1);
	});

	test('more bytes than a meter holds are refused alone', async (t) => {
		const { store } = await open(t);
		await runAll(store, [setPrice('acme', 1)]);
		const half = { source: 's', username: 'alice', atMs: NOON_MS, bytesUp: 2 ** 52, bytesDown: 0 };
		const other = { ...half, id: 'other', username: 'bruno', bytesUp: 1 };
		assert.deepEqual(await record(store, [{ ...half, id: 'first' }]), ['counted']);
		// On another day, so that only the meter is too full.
		const laterMs = NOON_MS + 24 * HOUR_MS;
		assert.deepEqual(await record(store, [{ ...half, id: 'second', atMs: laterMs }, other], laterMs), [
			{ refused: 'counter_overflow' },
			'counted',
		]);
		await assertSoundLedger(store);
	});

	test('several stores that count, move, post and set prices at once charge each byte once, and no balance grows without a credit', async (t) => {
		const opened = await open(t);
		const { store, openAnother } = opened;
		const stores = [store, await openAnother(), await openAnother()];
		const users = ['alice', 'bruno', 'carla', 'daria'];
		await runAll(store, [
			createSubUser('acme', 'carla'),
			createSubUser('acme', 'daria'),
			giveBalance('acme', 'bruno', 100),
			setPrice('acme', 3_333_333),
		]);
		let isOver = false;
		// Nobody gives to bruno any more.
		const watching = (async () => {
			const watcher = await openAnother();
			let lowest = Number.POSITIVE_INFINITY;
			while (!isOver) {
				const balance = (await balanceOf(watcher, 'acme', 'bruno')) as number;
				assert.ok(balance >= 0 && balance <= lowest, `${lowest} became ${balance}`);
				lowest = balance;
			}
		})();
		const runUnlessPoor = async (each: Store, commands: readonly Command[]) => {
			for (const ending of endings(await run(each, commands))) assert.match(ending, /^(ok|insufficient_balance)$/);
		};
		const work = stores.flatMap((each, index) => [
			repeat(async (round) => {
				const used = [...users, 'acme'].map((username) => ({
					...{
						source: `s${index}`,
						id: `${round} ${username}`,
						username,
						atMs: NOON_MS,
						bytesUp: 4_444_441,
						bytesDown: 1,
					},
				}));
				assert.deepEqual(new Set(await record(each, index === 1 ? used.toReversed() : used)), new Set(['counted']));
			}),
			repeat((round) =>
				runUnlessPoor(each, [
					giveBalance('acme', users[(round + index) % 2 ? 0 : 2] as string, 5),
					takeBalance('acme', users[round % 4] as string, 1),
					postUsage('acme', ...(round % 2 ? users : users.toReversed())),
				]),
			),
			repeat((round) => runUnlessPoor(each, [setPrice('acme', 1_000_000 * (1 + ((round + index) % 3)))])),
		]);
		const working = Promise.all(work).finally(() => {
			isOver = true;
		});
		await Promise.all([working, watching]);
		const [{ bytes: counted }] = (await opened.rows('SELECT sum(bytes) AS bytes FROM meters')) as [{ bytes: number }];
		assert.equal(Number(counted), stores.length * (users.length + 1) * ROUNDS * 4_444_442);
		await assertSoundLedger(store);
	});

	test('a verification finds a single wrong byte, cent or rest', async (t) => {
		const opened = await open(t);
		const { store } = opened;
		await runAll(store, [setPrice('acme', 3_333_333)]);
		await use(store, 'alice', 123_456_789);
		await runAll(store, [postUsage('acme', 'alice')]);
		await use(store, 'alice', 987_654_321);
		const change = (sql: string) => opened.rows(`${sql} RETURNING 1`);
		const isFound = async (sql: string) => assert.notDeepEqual((await store.verifyLedger()).problems, [], sql);
		const numbers = {
			meters: [...['bytes', 'cost_cents', 'cost_rest', 'charged_cents', 'uncollected_cents'], 'settled_bytes', 'price'],
			prices: ['micro_usd_per_gb'],
			usage_days: ['cost_cents', 'cost_rest'],
			usage_reseller_days: ['cost_cents', 'cost_rest'],
			usage_charges: ['bytes', 'charged_cents', 'uncollected_cents', 'from_bytes', 'micro_usd_per_gb'],
		};
		for (const [table, columns] of Object.entries(numbers)) {
			for (const column of columns) {
				await assertSoundLedger(store);
				await change(`UPDATE ${table} SET ${column} = ${column} + 1`);
				await isFound(`${table}.${column}`);
				await change(`UPDATE ${table} SET ${column} = ${column} - 1`);
			}
		}
		await assertSoundLedger(store);
		await change('DELETE FROM usage_charges');
		await isFound('usage_charges');
	});
}
