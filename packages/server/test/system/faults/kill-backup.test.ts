import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar } from '@bursar/testing/bursar-process';
import { underFault } from '@bursar/testing/strace';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { assertRestores } from '../../support/backups.ts';
import { serveStore } from '../../support/served-store.ts';
import { usageReports } from '../../support/usage-reports.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const KILLS = isLong ? 20 : 2;
const REPORTS = isLong ? 400_000 : 40_000;

test('after kill -9 between two writes of a backup, its file is never partial, and the next backup can be restored', async (t) => {
	const { dataDir, workload, random, server } = await serveStore(t);
	const folder = temporaryFolder(t);
	const target = join(folder, 'backup.db');
	const reports = join(folder, 'reports.ndjson');
	writeFileSync(reports, usageReports(workload.usernames, REPORTS));
	assert.equal((await runBursar(t, dataDir, ['usage', 'import', reports])).code, 0);

	const load = workload.start(server.url);
	for (let kill = 0; kill < KILLS; kill++) {
		// First at the last moment, when all is written but not renamed. Then in the middle of the copy.
		const fault =
			kill === 0
				? { calls: ['link', 'linkat'], effect: 'signal=SIGKILL', when: '1' }
				: { calls: ['pwrite64'], effect: 'signal=SIGKILL', when: String(20 + random.below(400)) };
		const backup = await runBursar(t, dataDir, ['backup', target], { under: underFault(fault, dataDir) });
		assert.equal(backup.signal, 'SIGKILL', 'the backup was not killed');
		assert.ok(!existsSync(target));
	}
	assert.equal(readdirSync(folder).filter((name) => name.endsWith('.partial')).length, KILLS);

	const last = await runBursar(t, dataDir, ['backup', target]);
	assert.equal(last.code, 0, last.stderr);
	await load.stop();
	await assertRestores(t, target, { dataDir, reports: REPORTS });
});
