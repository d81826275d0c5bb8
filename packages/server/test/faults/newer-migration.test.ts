import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBursar, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { bothEngines } from '../support/both-engines.ts';

const LONG_MS = 60_000;

/** Records a migration of a newer version in the store. */
async function addNewerMigration(
	dataDir: string,
	{ BURSAR_DATABASE_URL: url }: Readonly<Record<string, string>>,
	name: string,
	breaking: boolean,
): Promise<void> {
	if (url !== undefined) {
		await inDatabase(url, (database) =>
			database.query('INSERT INTO bursar.migrations VALUES ($1, now(), $2)', [name, breaking]),
		);
		return;
	}
	const database = new Database(join(dataDir, 'bursar.db'));
	database.prepare("INSERT INTO migrations VALUES (?, '2030-01-01T00:00:00.000Z', ?)").run(name, Number(breaking));
	database.close();
}

async function readiness(opsUrl: string) {
	const response = await fetch(`${opsUrl}/readyz`);
	return { status: response.status, text: await response.text() };
}

const engines = await bothEngines();

for (const engine of engines) {
	test(`${engine.name}: a process goes on beside a newer version, and says so; a breaking migration stops it cleanly`, async (t) => {
		const dataDir = temporaryFolder(t);
		const environment = await engine.environment();
		const first = await startServer(t, dataDir, { environment });
		assert.deepEqual(await readiness(first.opsUrl), { status: 200, text: 'ready\n' });

		await addNewerMigration(dataDir, environment, '9998_new_table.sql', false);
		const warning = 'the store was migrated by a newer version of Bursar (9998_new_table.sql)';
		await eventually(async () => assert.ok(first.stdout().includes(`${warning}: this process goes on`)), LONG_MS);
		assert.deepEqual(await readiness(first.opsUrl), { status: 200, text: `ready, but ${warning}\n` });
		// An embedded store has one service at a time.
		const isShared = environment.BURSAR_DATABASE_URL !== undefined;
		if (!isShared) await first.kill('SIGTERM');
		const second = await startServer(t, dataDir, { environment });
		assert.deepEqual(await readiness(second.opsUrl), { status: 200, text: `ready, but ${warning}\n` });

		await addNewerMigration(dataDir, environment, '9999_other_table.sql', true);
		for (const { ended } of isShared ? [first, second] : [second]) {
			const { code, stdout } = await ended;
			assert.equal(code, 1);
			assert.match(stdout, /the service cannot go on/);
			assert.match(
				stdout,
				/newer version of Bursar \(9998_new_table\.sql, 9999_other_table\.sql\): start that version/,
			);
			assert.equal(JSON.parse(stdout.trimEnd().split('\n').at(-1) as string).msg, 'stopped');
		}
		const { code, stderr } = await runBursar(t, dataDir, ['serve'], { environment });
		assert.equal(code, 1);
		assert.match(stderr, /newer version of Bursar/);
	});

	test(`${engine.name}: a process stopped by a breaking migration is not ready, and its probe says why`, async (t) => {
		const environment = await engine.environment();
		const service = await startTestService(t, environment);
		await addNewerMigration(service.config.dataDir, environment, '9999_other_table.sql', true);
		await service.failed;
		const { status, text } = await readiness(service.opsUrl);
		assert.equal(status, 503);
		assert.match(text, /^not ready: the store was migrated by a newer version of Bursar \(9999_other_table\.sql\)/);
	});

	test(`${engine.name}: a change of the master key refuses a store that a newer version has migrated`, async (t) => {
		const dataDir = temporaryFolder(t);
		const environment = await engine.environment();
		assert.equal((await runBursar(t, dataDir, ['migrate'], { environment })).code, 0);
		await addNewerMigration(dataDir, environment, '9998_new_table.sql', false);
		assert.equal((await runBursar(t, dataDir, ['migrate'], { environment })).code, 0);
		const newKey = join(dataDir, 'new.key');
		writeFileSync(newKey, randomBytes(32).toString('base64'), { mode: 0o600 });
		const changed = await runBursar(t, dataDir, ['master-key', 'change', '--to-file', newKey], { environment });
		assert.equal(changed.code, 1);
		assert.match(changed.stderr, /newer version of Bursar \(9998_new_table\.sql\)/);
	});
}

test('a store that a newer version has migrated can be neither source nor target of a copy', async (t) => {
	const [, postgres] = engines;
	for (const isSource of [true, false]) {
		const dataDir = temporaryFolder(t);
		const environment = (await postgres?.environment()) ?? {};
		const { BURSAR_DATABASE_URL = '' } = environment;
		assert.equal((await runBursar(t, dataDir, ['migrate'])).code, 0);
		assert.equal((await runBursar(t, dataDir, ['migrate'], { environment })).code, 0);
		await addNewerMigration(dataDir, isSource ? {} : environment, '9998_new_table.sql', false);
		const copied = await runBursar(t, dataDir, ['store', 'copy', '--from', dataDir], {
			environment: { BURSAR_DATABASE_URL },
		});
		assert.equal(copied.code, 1);
		assert.match(copied.stderr, /newer version of Bursar \(9998_new_table\.sql\)/);
	}
});
