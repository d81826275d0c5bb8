import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { inStore } from '@bursar/testing/sqlite-books';
import { type Fault, underFault } from '@bursar/testing/strace';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { verifyLedger } from '../../../src/store/sqlite/reading/reading.ts';

const kill = { effect: 'signal=SIGKILL' } as const;

/** Moments of a kill in the first start of a store, in order. */
const MOMENTS: Readonly<Record<string, Fault>> = {
	'while the database is made': { ...kill, calls: ['pwrite64'], when: '3', file: 'bursar.db' },
	'at the first write of the migrations': { ...kill, calls: ['pwrite64'], when: '2', file: 'bursar.db-wal' },
	'at the commit of the migrations': { ...kill, calls: ['fsync', 'fdatasync'], when: '2', file: 'bursar.db-wal' },
	'before the key file has its name': { ...kill, calls: ['link', 'linkat'], when: '1' },
	'between the key file and the check value': { ...kill, calls: ['unlink', 'unlinkat'], when: '1' },
	'at the commit of the check value': { ...kill, calls: ['fsync', 'fdatasync'], when: '3', file: 'bursar.db-wal' },
};

for (const [moment, fault] of Object.entries(MOMENTS)) {
	test(`the next start repairs a first start killed ${moment}`, async (t) => {
		const dataDir = temporaryFolder(t);
		const first = spawnBursar(t, dataDir, ['migrate'], { under: underFault(fault, dataDir) });
		assert.equal((await first.ended).signal, 'SIGKILL', 'the first start was not killed');

		const next = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance', '5.00', '--json']);
		assert.equal(next.code, 0, next.stderr);
		assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600);
		assert.deepEqual(inStore(dataDir, verifyLedger).problems, []);
	});
}
