import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runBursar, spawnBursar } from '@bursar/testing/bursar-process';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

const NOBODY_UID = 65534;

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

test('a store without its key, and a damaged, invalid or unreadable one, stops the boot in one line, and gets no new key', async (t) => {
	const dataDir = temporaryFolder(t);
	const [database, keyFile] = [join(dataDir, 'bursar.db'), join(dataDir, 'master.key')];
	const made = await runBursar(t, dataDir, ['reseller', 'create', 'acme', '--balance', '5.00']);
	assert.equal(made.code, 0, made.stderr);
	rmSync(keyFile);
	await assertBootStops(t, dataDir, /master key, and it is missing: restore .*master\.key/);
	const bytes = readFileSync(database);
	bytes.fill(0xff, 100, 4096);
	writeFileSync(database, bytes);
	await assertBootStops(t, dataDir, /bursar\.db.*malformed/);
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
