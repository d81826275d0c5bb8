import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { COPIED_TABLES } from '../../src/store/copied-tables.ts';
import { createReseller, createSubUser, creditReseller, giveBalance, NOON_MS } from '../support/commands.ts';
import { peopleRows } from '../support/people-rows.ts';
import { postgresEngine } from './postgres-engine.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { type Engine, type OpenedEngine, record, runAll } from './suite/engine.ts';
import { sharedStores } from './suite/shared-stores.ts';

const TABLES = [...COPIED_TABLES.map(({ name }) => name), 'meta'];

const REPORT = { source: 'eu-1', id: '1', username: 'alice', atMs: NOON_MS, bytesUp: 1, bytesDown: 2 };

/** What protects the data: triggers and constraints. */
const SCHEMA: Readonly<Record<string, string>> = {
	SQLite: 'SELECT name, sql FROM sqlite_schema ORDER BY name',
	PostgreSQL: 'SELECT conname AS name, pg_get_constraintdef(oid) AS sql FROM pg_constraint ORDER BY name',
};

for (const engine of [sqliteEngine, await postgresEngine()]) {
	describe(`shared stores on ${engine.name}`, () => {
		const stores = sharedStores(engine);
		after(stores.close);

		test('a test finds nothing of an earlier one, and numbers begin anew', async () => {
			const first = await borrow(stores);
			const before = await contentOf(first.opened);
			await fill(first.opened);
			const filled = await contentOf(first.opened);
			await first.end({ passed: true });

			const second = await borrow(stores);
			assert.equal(second.opened.folder, first.opened.folder);
			assert.deepEqual(await contentOf(second.opened), before);
			await runAll(second.opened.store, [createReseller('acme', 1000)]);
			assert.deepEqual(await transferIds(second.opened), [1]);
			assert.equal((await second.opened.store.listMovements({ reseller: 'acme', before: 9, limit: 9 })).rows.length, 1);
			await second.end({ passed: true });
			assert.ok(filled.accounts?.length === 2 && filled.usage_days?.length === 1 && filled.acts?.length);
		});

		test('a test finds nothing of an earlier one that corrupted the data, and the constraints are back', async () => {
			const first = await borrow(stores);
			await runAll(first.opened.store, [createReseller('acme', 1000)]);
			const before = await first.opened.rows(SCHEMA[engine.name] as string);
			await first.opened.corrupt({ kind: 'balance', username: 'acme', balanceCents: -1 });
			assert.notDeepEqual(await first.opened.rows(SCHEMA[engine.name] as string), before);
			await first.end({ passed: true });
			const second = await borrow(stores);
			assert.equal(second.opened.folder, first.opened.folder);
			assert.deepEqual(await second.opened.rows(SCHEMA[engine.name] as string), before);
			await runAll(second.opened.store, [createReseller('acme', 1000)]);
			assert.deepEqual((await second.opened.store.verifyLedger()).problems, []);
			await second.end({ passed: true });
		});

		test('a test cannot count usage of an account that belonged to another reseller in an earlier one', async () => {
			for (const reseller of ['acme', 'other', 'acme']) {
				const { opened, end } = await borrow(stores);
				await runAll(opened.store, [createReseller(reseller, 1000), createSubUser(reseller, 'alice')]);
				const recording = record(opened.store, [{ ...REPORT, id: '2' }]);
				if (reseller === 'acme') assert.deepEqual(await recording, ['counted']);
				else await assert.rejects(recording, /remember that alice belongs to acme/);
				await end({ passed: true });
			}
		});

		test('after a test that failed, the next one gets new data', async () => {
			const first = await borrow(stores);
			await runAll(first.opened.store, [createReseller('acme', 1000)]);
			await first.end({ passed: false });
			const second = await borrow(stores);
			assert.notEqual(second.opened.folder, first.opened.folder);
			await second.end({ passed: true });
		});
	});
}

/** Opens a store as a test does, until `end`. */
async function borrow(stores: Engine) {
	const endings: (() => unknown)[] = [];
	const lifetime = { passed: false, after: (run: unknown) => void endings.push(run as () => unknown) };
	const opened = await stores.open(lifetime);
	return {
		opened,
		async end({ passed }: { readonly passed: boolean }) {
			lifetime.passed = passed;
			for (const run of endings) await run();
		},
	};
}

async function fill({ store, insert }: OpenedEngine): Promise<void> {
	await runAll(store, [
		createReseller('acme', 1000),
		createSubUser('acme', 'alice'),
		giveBalance('acme', 'alice', 5),
		creditReseller('acme', 7, 'invoice 1'),
	]);
	await insert(peopleRows('acme', { seal: (text: string) => `sealed ${text.length}` }, NOON_MS));
	assert.deepEqual(await record(store, [REPORT]), ['counted']);
}

async function contentOf({ rows }: OpenedEngine): Promise<Record<string, readonly object[]>> {
	const content: Record<string, readonly object[]> = {};
	for (const table of TABLES) content[table] = await rows(`SELECT * FROM ${table}`);
	return content;
}

async function transferIds({ rows }: OpenedEngine): Promise<number[]> {
	return (await rows('SELECT id FROM transfers')).map((row) => Number((row as { id: number }).id));
}
