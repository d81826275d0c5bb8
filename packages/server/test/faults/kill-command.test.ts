import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, runBursar, spawnBursar } from '../support/process.ts';
import { serveStore } from '../support/served-store.ts';
import { temporaryFolder } from '../support/service.ts';
import { inStore } from '../support/sqlite-books.ts';
import { underFault } from '../support/strace.ts';
import { usageReports, usageTotals } from '../support/usage-reports.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const IMPORT_KILLS = isLong ? 30 : 3;
const BACKUP_KILLS = isLong ? 20 : 2;
const REPORTS = isLong ? 400_000 : 40_000;

test('kill -9 of a usage import, again and again: run again, it counts each report exactly once', async (t) => {
	const { dataDir, workload, random } = await serveStore(t);
	const file = join(temporaryFolder(t), 'reports.ndjson');
	writeFileSync(file, usageReports(workload.usernames, REPORTS));

	const seen: number[] = [];
	for (let kill = 0; kill < IMPORT_KILLS; kill++) {
		const isOver = random.below(Math.floor(REPORTS / IMPORT_KILLS)) + (seen.at(-1) ?? 0);
		const importing = spawnBursar(t, dataDir, ['usage', 'import', file, '--json']);
		while (usageTotals(dataDir).reports <= Math.min(isOver, REPORTS - 4000)) await setTimeout(1);
		importing.signal('SIGKILL');
		await importing.ended;
		const { reports, bytesUp } = usageTotals(dataDir);
		assert.equal(bytesUp, reports, 'each report that is known has been added up once');
		seen.push(reports);
	}

	const last = await runBursar(t, dataDir, ['usage', 'import', file, '--json']);
	assert.equal(last.code, 0, last.stderr);
	const counts = JSON.parse(last.stdout);
	assert.deepEqual(counts, { counted: REPORTS - (seen.at(-1) as number), repeated: seen.at(-1), refused: 0 });
	assert.deepEqual(usageTotals(dataDir), {
		reports: REPORTS,
		bytesUp: REPORTS,
		bytesDown: (REPORTS * (REPORTS + 1)) / 2,
	});
	await assertLedgerInOrder(t, dataDir);
	t.diagnostic(`killed when it had counted ${seen.join(', ')} of ${REPORTS}`);
});

test('kill -9 of a backup: no half backup has its name, and the next one is made and can be restored', async (t) => {
	const { dataDir, workload, random, server } = await serveStore(t);
	const folder = temporaryFolder(t);
	const target = join(folder, 'backup.db');
	const reports = join(folder, 'reports.ndjson');
	writeFileSync(reports, usageReports(workload.usernames, REPORTS));
	assert.equal((await runBursar(t, dataDir, ['usage', 'import', reports])).code, 0);

	const load = workload.start(server.url);
	for (let kill = 0; kill < BACKUP_KILLS; kill++) {
		// In the middle of the copy; and at the last moment, when all is written and has not got its name yet.
		const fault =
			kill === 0
				? { calls: ['link', 'linkat'], effect: 'signal=SIGKILL', when: '1' }
				: { calls: ['pwrite64'], effect: 'signal=SIGKILL', when: String(20 + random.below(400)) };
		const backup = await runBursar(t, dataDir, ['backup', target], { under: underFault(fault, dataDir) });
		assert.equal(backup.signal, 'SIGKILL', 'the moment was met');
		assert.ok(!existsSync(target));
	}
	assert.equal(readdirSync(folder).filter((name) => name.endsWith('.partial')).length, BACKUP_KILLS);

	const last = await runBursar(t, dataDir, ['backup', target]);
	assert.equal(last.code, 0, last.stderr);
	await load.stop();

	const restored = join(folder, 'restored');
	mkdirSync(restored);
	copyFileSync(target, join(restored, 'bursar.db'));
	copyFileSync(join(dataDir, 'master.key'), join(restored, 'master.key'));
	await assertLedgerInOrder(t, restored);
	assert.equal(usageTotals(restored).reports, REPORTS);
	assert.equal(
		inStore(restored, (store) => store.pragma('integrity_check', { simple: true })),
		'ok',
	);
});
