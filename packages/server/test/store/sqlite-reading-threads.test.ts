import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { StoreUnavailableError } from '../../src/store/reading.ts';
import { createReadingThreads, type ReadingThreads } from '../../src/store/sqlite/reading/reading-threads.ts';
import { startThread } from '../../src/store/sqlite/thread.ts';
import type { SharedStatement } from '../../src/store/statement.ts';
import { createReseller, createSubUser, giveBalance } from '../support/commands.ts';
import { storeFolder } from './sqlite-engine.ts';
import { runAll } from './suite/engine.ts';

const ONE = { sql: 'SELECT $1 AS one', values: [1] };

/** Takes a quarter of a second or more. SQLite does not call JavaScript meanwhile. */
const LONG = countTo(1_000_000);
/** Longer than a limit of 300 ms by far. Threads that were ended run it to its end. */
const TOO_LONG = countTo(6_000_000);
/** The same for a limit of 150 ms. */
const TOO_LONG_FOR_SHORT_LIMIT = countTo(4_000_000);

/** The third has to wait for the end of the first. */
const REPORTS = process.env.BURSAR_TEST_FAULTS === 'long' ? 5 : 3;
const MOST_REPORTS = 50;

function countTo(last: number) {
	const sql = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
		SELECT count(*) AS count FROM numbers`;
	return { sql, values: [last] };
}

function databaseFile(t: TestContext): string {
	const file = join(temporaryFolder(t), 'test.db');
	new Database(file).exec('PRAGMA journal_mode = WAL').close();
	return file;
}

test('the event loop goes on while a report is read', async (t) => {
	// On a busy machine, a thread of low priority may wait long for the processor.
	const threads = createReadingThreads(databaseFile(t), 60_000);
	t.after(threads.close);
	await threads.readReport(ONE);
	let turns = 0;
	const ticking = setInterval(() => turns++, 5);
	t.after(() => clearInterval(ticking));
	assert.deepEqual(await threads.readReport(LONG), [{ count: 1_000_000 }]);
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

test('a report that took too long does not delay the next one, although its thread still runs', async (t) => {
	const { workers } = watchWorkers(t);
	const threads = createReadingThreads(databaseFile(t), 300);
	t.after(threads.close);
	assert.deepEqual(await readInTime(threads, ONE), [{ one: 1 }]);
	const slow = workers.at(-1);
	await assert.rejects(threads.readReport(TOO_LONG), StoreUnavailableError);
	assert.deepEqual(await readInTime(threads, ONE), [{ one: 1 }]);
	assert.equal(slow?.hasExited, false);
	assert.notEqual(workers.at(-1), slow);
});

test('on Linux, threads that read get the processor after all other threads', {
	skip: process.platform !== 'linux' && 'only Linux has a priority for each thread',
}, async (t) => {
	const threads = createReadingThreads(databaseFile(t));
	t.after(threads.close);
	const before = niceness();
	await threads.readReport(ONE);
	const after = niceness();
	const usual = before.get(process.pid) ?? assert.fail();
	const added = [...after].filter(([thread]) => !before.has(thread)).map(([, nice]) => nice);
	assert.equal(Math.max(...added), Math.max(usual, 10));
	assert.ok(added.filter((nice) => nice !== usual).length <= 1);
	for (const [thread, nice] of before) assert.equal(after.get(thread) ?? nice, nice, `thread ${thread}`);
	assert.equal(after.get(process.pid), usual);
});

test('two threads of reports run at most, with those that were ended', async (t) => {
	const { mostAtOnce } = watchWorkers(t);
	const threads = createReadingThreads(databaseFile(t), 150);
	t.after(threads.close);
	// On a slow machine, the time of a report may be over before its thread runs.
	for (let report = 0; report < REPORTS || (mostAtOnce() < 2 && report < MOST_REPORTS); report++) {
		await assert.rejects(threads.readReport(TOO_LONG_FOR_SHORT_LIMIT), StoreUnavailableError);
	}
	assert.equal(mostAtOnce(), 2);
	assert.deepEqual(await readInTime(threads, ONE), [{ one: 1 }]);
	assert.equal(mostAtOnce(), 2);
});

/** How nice each thread of this process is, by its id. */
function niceness(): ReadonlyMap<number, number> {
	return new Map(
		readdirSync('/proc/self/task').map((thread) => {
			// The name of the thread stands in parentheses, and may have spaces. It is followed by the third field.
			const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
			return [Number(thread), Number(fields[19 - 3])];
		}),
	);
}

/** Reads until the answer is not too late. A machine may be so slow that a thread starts too late. */
async function readInTime(threads: ReadingThreads, statement: SharedStatement): Promise<readonly object[]> {
	for (;;) {
		try {
			return await threads.readReport(statement);
		} catch (cause) {
			if (!(cause instanceof StoreUnavailableError)) throw cause;
		}
	}
}

/** The threads that are started from now on, until the test ends. */
function watchWorkers(t: TestContext) {
	const workers: { hasExited: boolean }[] = [];
	let mostAtOnce = 0;
	const onWorker = (message: unknown) => {
		const watched = { hasExited: false };
		workers.push(watched);
		(message as { readonly worker: Worker }).worker.once('exit', () => {
			watched.hasExited = true;
		});
		mostAtOnce = Math.max(mostAtOnce, workers.filter(({ hasExited }) => !hasExited).length);
	};
	subscribe('worker_threads', onWorker);
	t.after(() => unsubscribe('worker_threads', onWorker));
	return { workers, mostAtOnce: () => mostAtOnce };
}

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

test('a thread that is ended while it starts loads its code first: ended before, it would end the process', async () => {
	const loaded = new Int32Array(new SharedArrayBuffer(4));
	const code = `import { parentPort, workerData } from 'node:worker_threads';
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
		Atomics.store(workerData.data, 0, 1);
		parentPort.postMessage({ value: 'ready' });
		setInterval(() => {}, 1000);`;
	const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), loaded);
	thread.ready.catch(() => {});
	thread.terminate(new Error('the store is closed'));
	await thread.exited;
	assert.equal(loaded[0], 1);
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
