import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS } from '../../../src/store/reads/read-owners.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, record, runAll } from './engine.ts';

const GB = 1_000_000_000;

/** Tests what pages read about prices, costs and charges. */
export function meteringReadsSuite(engine: Engine): void {
	let reports = 0;
	function use(store: Store, username: string, bytesUp: number, atMs = NOON_MS) {
		return record(store, [{ source: 'pages', id: `${reports++}`, username, atMs, bytesUp, bytesDown: 0 }], atMs);
	}

	test('the present price is that of the reseller, also if there was another before', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 0), createReseller('bolt', 0)]);
		assert.equal(await store.findPrice('acme'), null);
		for (const [after, price] of [7, 3_500_000, null, 8].entries()) {
			await runAll(store, [setPrice('acme', price)], NOON_MS + after);
		}
		await runAll(store, [setPrice('bolt', 9)]);
		assert.deepEqual([await store.findPrice('acme'), await store.findPrice('bolt')], [8, 9]);
	});

	test('movements of usage find their charges by account and time, many at once, and no others', async (t) => {
		const { store } = await engine.open(t);
		const names = Array.from({ length: 60 }, (_, index) => `user${index}`);
		await runAll(store, [
			createReseller('acme', 10_000),
			createReseller('bolt', 1_000),
			createSubUser('bolt', 'carol'),
			...names.map((name) => createSubUser('acme', name)),
			giveBalance('bolt', 'carol', 100),
			...names.map((name) => giveBalance('acme', name, 50)),
			setPrice('acme', 100_000),
			setPrice('bolt', 100_000),
		]);
		for (const name of [...names, 'carol']) await use(store, name, GB);
		await runAll(store, [postUsage('acme', ...names), postUsage('bolt', 'carol')], NOON_MS + 10);
		await use(store, 'user0', GB, NOON_MS + 20);
		await runAll(store, [setPrice('acme', 1_000_000)], NOON_MS + 30);
		await use(store, 'user0', GB, NOON_MS + 40);
		await runAll(store, [takeBalance('acme', 'user1', 1), postUsage('acme', 'user0')], NOON_MS + 50);
		const { rows } = await store.listMovements({
			reseller: 'acme',
			kind: 'usage',
			before: Number.MAX_SAFE_INTEGER,
			limit: 100,
		});
		assert.equal(rows.length, 61);
		const query = { reseller: 'acme', owner: OPERATORS };
		const charges = await store.listUsageCharges({ ...query, movements: rows });
		assert.equal(charges.length, 62);
		assert.deepEqual(new Set(charges.map(({ username }) => username)), new Set(names));
		const newest = await store.listUsageCharges({ ...query, movements: rows.slice(0, 1) });
		const common = {
			reseller: 'acme',
			username: 'user0',
			bytes: GB,
			atMs: NOON_MS + 50,
			requestId: rows[0]?.requestId,
		};
		assert.deepEqual(newest, [
			{
				...{ ...common, price: 1, microUsdPerGb: 100_000, fromBytes: GB, sinceMs: NOON_MS + 10 },
				...{ cents: 10, chargedCents: 10, uncollectedCents: 0 },
			},
			{
				...{ ...common, price: 2, microUsdPerGb: 1_000_000, fromBytes: 0, sinceMs: NOON_MS + 40 },
				...{ cents: 100, chargedCents: 30, uncollectedCents: 70 },
			},
		]);
		assert.deepEqual(await store.listUsageCharges({ ...query, reseller: 'bolt', movements: rows }), []);
	});
}
