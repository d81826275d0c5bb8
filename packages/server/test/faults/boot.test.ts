import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const NOBODY = 65534;

/** A store with a reseller in it, that nobody has open. */
async function makeStore(t: TestContext): Promise<{ dataDir: string; database: string; keyFile: string }> {
	const dataDir = temporaryFolder(t);
	const made = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance-cents', '500']);
	assert.equal(made.code, 0, made.stderr);
	return { dataDir, database: join(dataDir, 'bursar.db'), keyFile: join(dataDir, 'master.key') };
}

async function assertBootStops(
	t: TestContext,
	dataDir: string,
	reason: RegExp,
	options: Parameters<typeof runBursar>[3] = {},
): Promise<void> {
	const { code, stdout, stderr } = await runBursar(t, dataDir, ['serve'], options);
	assert.equal(code, 1, stdout);
	assert.equal(stdout, '', 'it never says that it is ready');
	assert.match(stderr, reason);
	assert.match(stderr, /^bursar: [^\n]+\n$/, 'one line');
}

test('a store without its master key does not start, and no new key is made over it', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	renameSync(keyFile, `${keyFile}.away`);
	await assertBootStops(t, dataDir, /master key, and it is missing: restore .*master\.key/);
	assert.ok(!existsSync(keyFile));
	renameSync(`${keyFile}.away`, keyFile);
	assert.equal((await runBursar(t, dataDir, ['ledger', 'verify'])).code, 0, 'with its key it is whole');
});

test('a store with another master key does not start, wherever that key comes from', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	const key = readFileSync(keyFile, 'utf8');
	const other = randomBytes(32).toString('base64');
	const reason = /not the master key of the store/;
	await assertBootStops(t, dataDir, reason, { environment: { BURSAR_MASTER_KEY: other } });
	assert.equal(readFileSync(keyFile, 'utf8'), key, 'the right one is left alone');
	writeFileSync(keyFile, `${other}\n`);
	await assertBootStops(t, dataDir, reason);
});

test('a key file that holds no key is named, and never replaced', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	for (const text of ['', 'garbage', randomBytes(16).toString('base64')]) {
		writeFileSync(keyFile, text);
		await assertBootStops(t, dataDir, /master\.key must hold a master key of 32 bytes/);
		assert.equal(readFileSync(keyFile, 'utf8'), text);
	}
});

test('a database that is none, or cannot be read, is named, and no key is made beside it', async (t) => {
	const { dataDir, database, keyFile } = await makeStore(t);
	rmSync(keyFile);
	const garbage = randomBytes(8192);
	writeFileSync(database, garbage);
	await assertBootStops(t, dataDir, /bursar\.db.*not a database/);
	assert.deepEqual(readFileSync(database), garbage, 'it is left as it is');

	chmodSync(database, 0);
	chmodSync(dataDir, 0o777);
	await assertBootStops(t, dataDir, /bursar\.db/, process.getuid?.() === 0 ? { uid: NOBODY } : {});

	rmSync(database);
	mkdirSync(database);
	await assertBootStops(t, dataDir, /bursar\.db/);
	assert.ok(!existsSync(keyFile));
	assert.ok(statSync(database).isDirectory());
});

test('a database whose pages are damaged does not start as an empty one', async (t) => {
	const { dataDir, database, keyFile } = await makeStore(t);
	const bytes = readFileSync(database);
	bytes.fill(0xff, 100, 4096);
	writeFileSync(database, bytes);
	rmSync(keyFile);
	await assertBootStops(t, dataDir, /bursar\.db.*malformed/);
	assert.ok(!existsSync(keyFile));
});

test('a store of a newer version does not start, if that version has broken with this one', async (t) => {
	const { dataDir, database } = await makeStore(t);
	const { default: Database } = await import('better-sqlite3');
	const store = new Database(database);
	store.exec("INSERT INTO migrations VALUES ('9999_future.sql', '2030-01-01T00:00:00.000Z', 1)");
	store.close();
	await assertBootStops(t, dataDir, /newer version of Bursar \(9999_future\.sql\)/);
});

test('a draft left by a process of the same id, as in a container, does not keep the next from starting', {
	skip: process.platform === 'win32' && 'there is no shell that becomes another program here',
}, async (t) => {
	const dataDir = temporaryFolder(t);
	// The program that a shell becomes has the id of that shell.
	const under = ['sh', '-c', 'echo half > "$BURSAR_DATA_DIR/master.key.$$.draft"; exec "$0" "$@"'];
	const started = await spawnBursar(t, dataDir, ['migrate'], { under }).ended;
	assert.equal(started.code, 0, started.stderr);
	assert.equal(readdirSync(dataDir).filter((name) => name.endsWith('.draft')).length, 1, 'it was there');
	assert.ok(existsSync(join(dataDir, 'master.key')));
});
