import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { assertLedgerInOrder } from '@bursar/testing/bursar-process';
import { openConnection } from '@bursar/testing/wire';
import Database from 'better-sqlite3';
import { timesAllowed } from '../support/effects.ts';
import { type ServedStore, serveStore } from '../support/served-store.ts';

/** Longer than any read takes beside another writer. With a blocked event loop, a read would take seconds. */
const READ_LIMIT_MS = 500;
/** Much shorter than the limit, so that a read is always due soon after reads begin to wait. */
const READ_PAUSE_MS = 25;

/** Takes the write lock of the store, like another process in a transaction. */
function holdWriteLock(t: TestContext, dataDir: string): { release(): void } {
	const store = new Database(join(dataDir, 'bursar.db'));
	store.exec('BEGIN IMMEDIATE');
	t.after(() => store.close());
	return { release: () => store.exec('ROLLBACK') };
}

/** Sends one read after another on its own connection, and records how long each takes. */
function keepReading({ server, workload: { token } }: ServedStore): { stop(): Promise<readonly number[]> } {
	const tookMs: number[] = [];
	let stopped = false;
	const running = (async () => {
		const connection = openConnection();
		while (!stopped) {
			const startedAtMs = performance.now();
			const reply = await connection.send(server.url, endpoints.myInfo.path, { token });
			assert.equal(reply.kind === 'answered' && reply.status, 200);
			tookMs.push(performance.now() - startedAtMs);
			await setTimeout(READ_PAUSE_MS);
		}
		connection.close();
	})();
	return {
		async stop() {
			stopped = true;
			await running;
			return tookMs.sort((a, b) => a - b);
		},
	};
}

test('beside another process that holds the write lock', async (t) => {
	const served = await serveStore(t);
	const { dataDir, server, workload, effects } = served;

	await t.test('commands wait for another writing process, and are then done; reads do not wait', async (t) => {
		const lock = holdWriteLock(t, dataDir);
		const reading = keepReading(served);
		const startedAtMs = performance.now();
		const sent = workload.usernames.map((username) => workload.send(server.url, 'give', username));
		await setTimeout(3000);
		lock.release();
		const operations = await Promise.all(sent);
		const tookMs = performance.now() - startedAtMs;
		const reads = await reading.stop();

		for (const operation of operations) assert.deepEqual(timesAllowed(operation), [1]);
		assert.ok(tookMs >= 3000);
		assert.ok(
			reads.length > 40 && (reads.at(-1) as number) < READ_LIMIT_MS,
			`the longest read took ${reads.at(-1)} ms`,
		);
		await effects.check(operations);
		t.diagnostic(`${reads.length} reads meanwhile, the longest ${Math.round(reads.at(-1) as number)} ms`);
	});

	await t.test('a command that waited for 5 s is refused and never run; a later one is done', async (t) => {
		const lock = holdWriteLock(t, dataDir);
		const reading = keepReading(served);
		const startedAtMs = performance.now();
		const early = workload.usernames.map((username) => workload.send(server.url, 'give', username));
		const refusedAfterMs = Promise.all(early).then(() => performance.now() - startedAtMs);
		await setTimeout(4000);
		const late = workload.usernames.map((username) => workload.send(server.url, 'take', username));
		await setTimeout(3000);
		lock.release();
		const reads = await reading.stop();

		for (const { reply } of await Promise.all(early)) {
			assert.equal(reply.kind === 'answered' && reply.errorCode, 'unavailable');
		}
		const waitedMs = await refusedAfterMs;
		assert.ok(waitedMs > 4000 && waitedMs < 6500, `they were refused after ${waitedMs} ms`);
		for (const operation of await Promise.all(late)) assert.deepEqual(timesAllowed(operation), [1]);
		assert.ok((reads.at(-1) as number) < READ_LIMIT_MS, `the longest read took ${reads.at(-1)} ms`);

		// Gives the refused commands time to take effect wrongly.
		await setTimeout(1000);
		const after = await workload.send(server.url, 'give');
		const counts = await effects.check([...(await Promise.all([...early, ...late])), after]);
		assert.equal(counts.refused, early.length);
		await assertLedgerInOrder(t, dataDir);
		t.diagnostic(`refused after ${Math.round(waitedMs)} ms; longest read ${Math.round(reads.at(-1) as number)} ms`);
	});
});
