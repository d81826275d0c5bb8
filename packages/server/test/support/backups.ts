import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { assertLedgerInOrder } from '@bursar/testing/bursar-process';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { usageTotals } from './usage-reports.ts';

/** Throws unless the backup and the store's master key make a complete store with `reports` usage reports. */
export async function assertRestores(
	test: TestContext,
	backup: string,
	{ dataDir, reports }: { dataDir: string; reports: number },
): Promise<void> {
	const restored = join(temporaryFolder(test), 'restored');
	mkdirSync(restored);
	copyFileSync(backup, join(restored, 'bursar.db'));
	copyFileSync(join(dataDir, 'master.key'), join(restored, 'master.key'));
	await assertLedgerInOrder(test, restored);
	assert.equal(usageTotals(restored).reports, reports);
	assert.equal(
		inStore(restored, (store) => store.pragma('integrity_check', { simple: true })),
		'ok',
	);
}
