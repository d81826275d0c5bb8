import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const NOBODY_UID = 65534;

/** The store that the tests copy: a command takes longer than a copy. */
const original = mkdtempSync(join(tmpdir(), 'bursar-test-'));
after(() => rmSync(original, { recursive: true }));

/** A closed store with one reseller. */
async function makeStore(t: TestContext): Promise<{ dataDir: string; database: string; keyFile: string }> {
	if (readdirSync(original).length === 0) {
		const made = await runBursar(t, original, ['reseller', 'create', 'acme', '--balance', '5.00']);
		assert.equal(made.code, 0, made.stderr);
	}
	const dataDir = temporaryFolder(t);
	cpSync(original, dataDir, { recursive: true });
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
	assert.equal(stdout, '', 'it said that it is ready');
	assert.match(stderr, reason);
	assert.match(stderr, /^bursar: [^\n]+\n$/, 'the error is not one line');
}

test('a store without its master key does not start, and gets no new key', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	renameSync(keyFile, `${keyFile}.away`);
	await assertBootStops(t, dataDir, /master key, and it is missing: restore .*master\.key/);
	assert.ok(!existsSync(keyFile));
	renameSync(`${keyFile}.away`, keyFile);
	assert.equal((await runBursar(t, dataDir, ['ledger', 'verify'])).code, 0, 'with its key the store is intact');
});

test('a store with another master key does not start, from whichever source the key comes', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	const key = readFileSync(keyFile, 'utf8');
	const other = randomBytes(32).toString('base64');
	const reason = /not the master key of the store/;
	await assertBootStops(t, dataDir, reason, { environment: { BURSAR_MASTER_KEY: other } });
	assert.equal(readFileSync(keyFile, 'utf8'), key, 'the right key is unchanged');
	writeFileSync(keyFile, `${other}\n`, { mode: 0o600 });
	await assertBootStops(t, dataDir, reason);
});

test('a key file without a valid key is named, and never replaced', async (t) => {
	const { dataDir, keyFile } = await makeStore(t);
	for (const text of ['', 'garbage', randomBytes(16).toString('base64')]) {
		writeFileSync(keyFile, text);
		await assertBootStops(t, dataDir, /master\.key must hold a master key of 32 bytes/);
		assert.equal(readFileSync(keyFile, 'utf8'), text);
	}
});

test('an invalid or unreadable database is named, and gets no new key', async (t) => {
	const { dataDir, database, keyFile } = await makeStore(t);
	rmSync(keyFile);
	const garbage = randomBytes(8192);
	writeFileSync(database, garbage);
	await assertBootStops(t, dataDir, /bursar\.db.*not a database/);
	assert.deepEqual(readFileSync(database), garbage, 'the file is unchanged');

	chmodSync(database, 0);
	chmodSync(dataDir, 0o777);
	await assertBootStops(t, dataDir, /bursar\.db/, process.getuid?.() === 0 ? { uid: NOBODY_UID } : {});

	rmSync(database);
	mkdirSync(database);
	await assertBootStops(t, dataDir, /bursar\.db/);
	assert.ok(!existsSync(keyFile));
	assert.ok(statSync(database).isDirectory());
});

test('a database with damaged pages does not start as an empty one', async (t) => {
	const { dataDir, database, keyFile } = await makeStore(t);
	const bytes = readFileSync(database);
	bytes.fill(0xff, 100, 4096);
	writeFileSync(database, bytes);
	rmSync(keyFile);
	await assertBootStops(t, dataDir, /bursar\.db.*malformed/);
	assert.ok(!existsSync(keyFile));
});

test('a draft of a process with the same id, as in a container, does not prevent the next start', {
	skip: process.platform === 'win32' && 'Windows has no shell that can exec another program',
}, async (t) => {
	const dataDir = temporaryFolder(t);
	// `exec` keeps the process id of the shell.
	const under = ['sh', '-c', 'echo half > "$BURSAR_DATA_DIR/master.key.$$.draft"; exec "$0" "$@"'];
	const started = await spawnBursar(t, dataDir, ['migrate'], { under }).ended;
	assert.equal(started.code, 0, started.stderr);
	assert.equal(readdirSync(dataDir).filter((name) => name.endsWith('.draft')).length, 1, 'the draft did not exist');
	assert.ok(existsSync(join(dataDir, 'master.key')));
});
