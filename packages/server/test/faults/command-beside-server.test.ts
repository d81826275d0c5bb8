import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { usd } from '@bursar/contract/usd';
import { assertLedgerInOrder, runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import type { TestProcess } from '@bursar/testing/test-process';
import Database from 'better-sqlite3';
import { timesAllowed } from '../support/effects.ts';
import { serveStore } from '../support/served-store.ts';
import { usageReports, usageTotals } from '../support/usage-reports.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const REPORTS = isLong ? 400_000 : 20_000;
const TOP_UPS = isLong ? 40 : 2;

test('commands beside a server', async (t) => {
	const { dataDir, server, workload, effects } = await serveStore(t);
	const file = join(temporaryFolder(t), 'reports.ndjson');

	await t.test('top-ups and usage imports beside a busy server succeed, and so do all requests', async (t) => {
		writeFileSync(file, usageReports(workload.usernames, REPORTS));

		const load = workload.start(server.url);
		const importing = runBursar(t, dataDir, ['usage', 'import', file, '--json']);
		for (let index = 0; index < TOP_UPS; index++) {
			// Each twice: an operator repeats a command that seems lost.
			const args = ['reseller', 'credit', 'acme', usd(100 + index), '--reference', `payment ${index}`, '--json'];
			const [first, second] = await Promise.all([runBursar(t, dataDir, args), runBursar(t, dataDir, args)]);
			assert.deepEqual([first.code, second.code], [0, 0], first.stderr + second.stderr);
			const repeated = [first, second].map(({ stdout }) => (JSON.parse(stdout) as { repeated: boolean }).repeated);
			assert.deepEqual(repeated.sort(), [false, true]);
		}
		const imported = await importing;
		const operations = await load.stop();

		assert.equal(imported.code, 0, imported.stderr);
		assert.deepEqual(JSON.parse(imported.stdout), { counted: REPORTS, repeated: 0, refused: 0 });
		assert.equal(usageTotals(dataDir).bytesUp, REPORTS);
		const counts = await effects.check(operations);
		t.diagnostic(`${operations.length} operations: ${JSON.stringify(counts)}`);
		assert.deepEqual([counts.refused, counts.unknown], [0, 0], 'a request was refused');
		const topUps = inStore(dataDir, (store) =>
			store
				.prepare("SELECT amount_cents FROM transfers WHERE kind = 'top_up' ORDER BY id LIMIT -1 OFFSET 1")
				.pluck()
				.all(),
		);
		assert.deepEqual(
			topUps,
			Array.from({ length: TOP_UPS }, (_, index) => 100 + index),
		);
		await assertLedgerInOrder(t, dataDir);
	});

	await t.test('a command that is stopped while it holds the write lock delays writes, and does no harm', async (t) => {
		writeFileSync(file, usageReports(workload.usernames, REPORTS, 'host-2'));
		const importing = spawnBursar(t, dataDir, ['usage', 'import', file, '--json']);
		await stopInTransaction(dataDir, importing, REPORTS);

		const waiting = workload.usernames.map((username) => workload.send(server.url, 'give', username));
		await setTimeout(2000);
		importing.signal('SIGCONT');
		const imported = await importing.ended;
		const operations = await Promise.all(waiting);
		for (const operation of operations) assert.deepEqual(timesAllowed(operation), [1]);
		assert.equal(imported.code, 0, imported.stderr);
		await effects.check(operations);
		assert.deepEqual(usageTotals(dataDir).reports, 2 * REPORTS);
		await assertLedgerInOrder(t, dataDir);
	});
});

/** Stops a process that imports reports, beside the earlier ones, while it holds the write lock. */
async function stopInTransaction(dataDir: string, process: TestProcess, earlierReports: number): Promise<void> {
	while (usageTotals(dataDir).reports === earlierReports) await setTimeout(1);
	for (;;) {
		process.signal('SIGSTOP');
		if (isLocked(dataDir)) return;
		process.signal('SIGCONT');
		await setTimeout(1);
	}
}

function isLocked(dataDir: string): boolean {
	const store = new Database(join(dataDir, 'bursar.db'), { timeout: 20 });
	try {
		store.exec('BEGIN IMMEDIATE');
		store.exec('ROLLBACK');
		return false;
	} catch (error) {
		assert.equal((error as { code: string }).code, 'SQLITE_BUSY');
		return true;
	} finally {
		store.close();
	}
}
