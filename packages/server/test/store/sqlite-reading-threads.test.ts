import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { createReadingThreads } from '../../src/store/sqlite/reading-threads.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';
import { storeFolder } from './sqlite-engine.ts';
import { runAll } from './suite/engine.ts';

const ONE = { sql: 'SELECT $1 AS one', values: [1] };

/** Takes about a second or more. SQLite does not call JavaScript meanwhile. */
const LONG = {
	sql: `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
		SELECT count(*) AS count FROM numbers`,
	values: [5_000_000],
};

function databaseFile(t: TestContext): string {
	const file = join(temporaryFolder(t), 'test.db');
	new Database(file).exec('PRAGMA journal_mode = WAL').close();
	return file;
}

test('the event loop goes on while a report is read', async (t) => {
	const threads = createReadingThreads(databaseFile(t));
	t.after(threads.close);
	await threads.readReport(ONE);
	let turns = 0;
	const ticking = setInterval(() => turns++, 5);
	assert.deepEqual(await threads.readReport(LONG), [{ count: 5_000_000 }]);
	clearInterval(ticking);
	assert.ok(turns >= 5, `${turns} turns`);
});

test('if a thread cannot read, its reads are unavailable, and the next read starts a thread again', async (t) => {
	const file = join(temporaryFolder(t), 'test.db');
	const threads = createReadingThreads(file);
	t.after(threads.close);
	await assert.rejects(threads.readReport(ONE), StoreUnavailableError);
	new Database(file).exec('PRAGMA journal_mode = WAL').close();
	assert.deepEqual(await threads.readReport(ONE), [{ one: 1 }]);
	await assert.rejects(threads.readReport({ sql: 'SELECT nothing', values: [] }), StoreUnavailableError);
	assert.deepEqual(await threads.readReport(ONE), [{ one: 1 }]);
});

test('a report that takes too long is unavailable; the next one waits until its thread has ended', async (t) => {
	const threads = createReadingThreads(databaseFile(t), 300);
	t.after(threads.close);
	await assert.rejects(threads.readReport(LONG), StoreUnavailableError);
	// Its thread still runs the statement, so the next reads may be too late as well.
	for (;;) {
		const answer = await threads.readReport(ONE).catch((cause: unknown) => cause);
		if (answer instanceof StoreUnavailableError) continue;
		assert.deepEqual(answer, [{ one: 1 }]);
		break;
	}
});

test('closing ends a report and a verification that run, and starts no thread again', async (t) => {
	const file = databaseFile(t);
	const threads = createReadingThreads(file);
	const report = assert.rejects(threads.readReport(LONG), StoreUnavailableError);
	const verification = assert.rejects(threads.verifyLedger(), /closed/);
	await threads.close();
	await Promise.all([report, verification]);
	await assert.rejects(threads.readReport(ONE), StoreUnavailableError);
	await assert.rejects(threads.verifyLedger(), /closed/);
});

test('after a store is closed that has read reports, its log is in the database file', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice'), giveBalance('acme', 'alice', 1)]);
	assert.equal(await store.countSubUsers('acme', { text: '', match: 'beginning' }), 1);
	const verification = store.verifyLedger().catch(() => {});
	await store.close();
	await verification;
	assert.equal(existsSync(join(folder, 'bursar.db-wal')), false);
});
