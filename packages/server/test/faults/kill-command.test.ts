import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { assertRestores } from '../support/backups.ts';
import { serveStore } from '../support/served-store.ts';
import { usageReports, usageTotals } from '../support/usage-reports.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const IMPORT_KILLS = isLong ? 30 : 2;
const BACKUP_KILLS = isLong ? 20 : 1;
const REPORTS = isLong ? 400_000 : 20_000;

test('commands on a served store', async (t) => {
	const { dataDir, workload, random, server } = await serveStore(t);
	const file = join(temporaryFolder(t), 'reports.ndjson');
	writeFileSync(file, usageReports(workload.usernames, REPORTS));

	await t.test(
		'after repeated kill -9 of a usage import, the next run has counted each report exactly once',
		async (t) => {
			const seen: number[] = [];
			for (let kill = 0; kill < IMPORT_KILLS; kill++) {
				const minReports = random.below(Math.floor(REPORTS / IMPORT_KILLS)) + (seen.at(-1) ?? 0);
				const importing = spawnBursar(t, dataDir, ['usage', 'import', file, '--json']);
				while (usageTotals(dataDir).reports <= Math.min(minReports, REPORTS - 4000)) await setTimeout(1);
				importing.signal('SIGKILL');
				await importing.ended;
				const { reports, bytesUp } = usageTotals(dataDir);
				assert.equal(bytesUp, reports, 'each known report is counted once');
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
		},
	);

	// The store holds the reports by now.
	await t.test(
		'after kill -9 of a backup, its file is never partial, and the next backup can be restored',
		async (t) => {
			const folder = temporaryFolder(t);
			const target = join(folder, 'backup.db');
			const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.partial'));
			const load = workload.start(server.url);
			let kills = 0;
			while (kills < BACKUP_KILLS) {
				const backup = spawnBursar(t, dataDir, ['backup', target]);
				while (drafts().length === kills && !existsSync(target)) await setTimeout(1);
				await setTimeout(random.below(20));
				backup.signal('SIGKILL');
				const { signal } = await backup.ended;
				if (signal === 'SIGKILL' && !existsSync(target)) kills++;
				// The backup was complete before the signal.
				else rmSync(target);
				assert.equal(drafts().length, kills);
			}

			const last = await runBursar(t, dataDir, ['backup', target]);
			assert.equal(last.code, 0, last.stderr);
			await load.stop();
			await assertRestores(t, target, { dataDir, reports: REPORTS });
		},
	);
});
