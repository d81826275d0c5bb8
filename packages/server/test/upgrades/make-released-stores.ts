// Makes the stores of the present version in `released/`, for `npm run release -- --fixture`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@bursar/testing/postgres-server';
import { migrationsFolder } from '../../src/installation.ts';
import { version } from '../../src/version.ts';
import { doBusiness } from './business.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { type EngineName, listMigrations, RELEASED_STORES, STORE_FILES, type StoreFacts } from './released-stores.ts';

await using ending = new AsyncDisposableStack();
const owner = { after: (end: () => Promise<void>) => ending.defer(end) };
const temporary = mkdtempSync(join(tmpdir(), 'bursar-released-'));
ending.defer(() => rmSync(temporary, { recursive: true }));
const results = join(RELEASED_STORES, version);
assertUnreleased();
rmSync(results, { recursive: true, force: true });

const dataDir = join(temporary, 'store');
const facts = await doBusiness(owner, dataDir, {});
assert.ok(!existsSync(join(dataDir, 'bursar.db-wal')), 'the service has left a log beside its store');
const embedded = resultsOf('sqlite', facts);
for (const name of [STORE_FILES.store.sqlite, STORE_FILES.masterKey])
	copyFileSync(join(dataDir, name), join(embedded, name));

const server = await startPostgres();
ending.defer(() => server.remove());
const url = await server.createDatabase();
const masterKey = join(temporary, STORE_FILES.masterKey);
writeFileSync(masterKey, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY_FILE: masterKey };
const shared = resultsOf('postgres', await doBusiness(owner, temporary, environment));
copyFileSync(masterKey, join(shared, STORE_FILES.masterKey));
writeFileSync(join(shared, STORE_FILES.store.postgres), await dumpPostgres(url, migrationsFolder('postgres')));
process.stdout.write(`${results}\n`);

/** The stores of a released version stay as they are. */
function assertUnreleased(): void {
	const tag = execFileSync('git', ['tag', '--list', `v${version}`], { cwd: RELEASED_STORES, encoding: 'utf8' });
	assert.equal(tag, '', `version ${version} has a tag already`);
}

/** The folder of an engine, with the facts and the migrations. */
function resultsOf(engine: EngineName, facts: StoreFacts): string {
	const folder = join(results, engine);
	mkdirSync(folder, { recursive: true });
	const write = (name: string, value: object) =>
		writeFileSync(join(folder, name), `${JSON.stringify(value, null, '\t')}\n`);
	write(STORE_FILES.facts, facts);
	write(STORE_FILES.migrations, listMigrations(migrationsFolder(engine)));
	return folder;
}
