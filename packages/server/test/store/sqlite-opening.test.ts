import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { openAlone } from '../../src/store/sqlite/database/connection.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createReseller, createSubUser, keyOf } from '../support/commands.ts';
import { inDatabase, storeFolder } from './sqlite-engine.ts';
import { runAll } from './suite/engine.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/store/sqlite/migrations');
const STORE_PROCESS = join(import.meta.dirname, 'open-store-process.ts');

function modeOf(path: string): string {
	return (statSync(path).mode & 0o777).toString(8);
}

test('only the owner can access the folder, the database, its log, the master key and a backup', async (t) => {
	const { folder, open } = storeFolder(t);
	const dataDir = join(folder, 'deep', 'data');
	const before = process.umask(0);
	try {
		const store = await open(dataDir);
		await runAll(store, [createReseller('acme', 10)]);
		await store.backup(join(dataDir, 'backup'));
	} finally {
		process.umask(before);
	}
	assert.equal(modeOf(dataDir), '700');
	const files = readdirSync(dataDir);
	assert.deepEqual(files.sort(), ['backup', 'bursar.db', 'bursar.db-shm', 'bursar.db-wal', 'master.key']);
	for (const file of files) assert.equal(modeOf(join(dataDir, file)), '600', file);
});

test('from the moment a service opens its store until it closes it, no command can have the store for itself', async (t) => {
	const { folder, open } = storeFolder(t);
	await (await open()).close();
	const file = join(folder, 'bursar.db');
	let isOpen = false;
	const opening = open().finally(() => {
		isOpen = true;
	});
	while (!isOpen) {
		assert.throws(() => openAlone(file), { code: 'SQLITE_BUSY' });
		await new Promise((resolve) => setImmediate(resolve));
	}
	const store = await opening;
	assert.throws(() => openAlone(file), { code: 'SQLITE_BUSY' });
	await runAll(store, [createReseller('acme', 10)]);
	assert.throws(() => openAlone(file), { code: 'SQLITE_BUSY' });
	await store.close();
	openAlone(file).close();
});

test('a backup beside the log of another database is refused: SQLite would mix the two', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 10)]);
	const backup = join(folder, 'backup');
	await store.backup(backup);
	await runAll(store, [createSubUser('acme', 'alice')]);
	// As after a crash: the log has changes that the database file does not have yet.
	const restored = temporaryFolder(t);
	for (const name of ['bursar.db-wal', 'master.key']) copyFileSync(join(folder, name), join(restored, name));
	copyFileSync(backup, join(restored, 'bursar.db'));
	const reason = /is a backup, and beside it is the log of another database/;
	await assert.rejects(openSqliteStore(restored, undefined), reason);
	assert.throws(() => openAlone(join(restored, 'bursar.db')), reason);

	rmSync(join(restored, 'bursar.db-wal'));
	const reopened = await openSqliteStore(restored, undefined);
	assert.equal((await reopened.findAccount('acme', 'acme'))?.balanceCents, 10);
	await reopened.close();
});

test('a store whose log is removed while it is open is lost, and closing it keeps what was answered', async (t) => {
	const { folder, open } = storeFolder(t);
	const store = await open();
	await runAll(store, [createReseller('acme', 10), createSubUser('acme', 'alice')]);
	rmSync(join(folder, 'bursar.db-wal'));
	await store.readCredentialsVersion();
	assert.match(String(await store.lost), /was replaced or removed while the service ran/);
	await store.close();
	assert.ok(await (await open()).findAccount('acme', 'alice'));
});

test('a store whose file is replaced while it is open is lost, and the two are not mixed', async (t) => {
	const { folder, open } = storeFolder(t);
	const file = join(folder, 'bursar.db');
	const store = await open();
	await runAll(store, [createReseller('acme', 10)]);
	await store.backup(`${file}.backup`);
	renameSync(`${file}.backup`, file);
	await store.readCredentialsVersion();
	assert.match(String(await store.lost), /was replaced or removed while the service ran/);
	await store.close();
	await assert.rejects(open(), /beside it is the log of another database/);
});

test('many processes that open a new store at once all start, with one schema and one master key', async (t) => {
	const { folder, open } = storeFolder(t);
	const args = [STORE_PROCESS, folder, String(Date.now() + 1000)];
	const runs = Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, args));
	const applied = (await Promise.all(runs)).map(({ stdout }) => Number(stdout));
	assert.equal(applied.filter((count) => count > 0).length, 1, applied.join());
	const store = await open();
	await runAll(store, [createReseller('acme', 10)]);
	assert.equal((await store.findAccount('acme', 'acme'))?.proxyAuthkey, keyOf('acme'));
	assert.deepEqual(
		readdirSync(folder).filter((name) => name.includes('draft')),
		[],
	);
});

test('a process that opens a new store several times at once does not block itself', async (t) => {
	const { open } = storeFolder(t);
	const startedAtMs = performance.now();
	const stores = await Promise.all([open(), open(), open()]);
	// SQLite waits ten seconds for a lock that its own thread holds.
	assert.ok(performance.now() - startedAtMs < 9_000);
	assert.equal(stores.filter(({ appliedMigrations }) => appliedMigrations.length > 0).length, 1);
});

test('a store with a breaking migration of a newer version is refused, and stays as it is', async (t) => {
	const { folder, open } = storeFolder(t);
	await (await open()).close();
	inDatabase(folder, (database) =>
		database.exec("INSERT INTO migrations VALUES ('9999_from_the_future.sql', 'then', 1)"),
	);
	await assert.rejects(open(), /newer version of Bursar \(9999_from_the_future\.sql\)/);
	const names = inDatabase(folder, (database) => database.prepare('SELECT name FROM migrations').pluck().all());
	assert.ok(names.includes('9999_from_the_future.sql'));
});

test('a store of an older version is migrated, and keeps its data', async (t) => {
	const { folder, open } = storeFolder(t);
	const [oldest = '', ...newer] = readdirSync(MIGRATIONS).sort();
	const database = new Database(join(folder, 'bursar.db'));
	database.exec(readFileSync(join(MIGRATIONS, oldest), 'utf8'));
	database.exec(
		'CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL, breaking INTEGER NOT NULL) STRICT',
	);
	database.prepare("INSERT INTO migrations VALUES (?, 'then', 1)").run(oldest);
	database.exec("UPDATE meta SET value = '7' WHERE name = 'credentials_version'");
	database.close();
	const updated = await open();
	assert.deepEqual(updated.appliedMigrations, newer);
	assert.equal(await updated.readCredentialsVersion(), 7);
	await runAll(updated, [createReseller('acme', 10)]);
	assert.deepEqual(await updated.listUsageDays('acme', 'acme', 0, 1), []);
});

test('a store without its master key does not open, says so, and creates no new key, whoever made the key', async (t) => {
	for (const configured of [undefined, randomBytes(32)]) {
		const { folder, open } = storeFolder(t);
		const keyFile = join(folder, 'master.key');
		const store = await open(folder, configured);
		await runAll(store, [createReseller('acme', 10)]);
		await store.close();
		assert.equal(existsSync(keyFile), configured === undefined);
		const key = configured ?? Buffer.from(readFileSync(keyFile, 'utf8'), 'base64');
		rmSync(keyFile, { force: true });
		await assert.rejects(
			open(),
			(error: Error) => /master key.*missing/.test(error.message) && error.message.includes(keyFile),
		);
		await (await open(folder, key)).close();

		inDatabase(folder, (database) => database.exec("DELETE FROM meta WHERE name = 'master_key_check'"));
		for (const other of [undefined, randomBytes(32)]) {
			await assert.rejects(open(folder, other), /lost the check value of its master key/);
		}
		assert.equal(existsSync(keyFile), false);
	}
});

test('a store does not open with another master key, from its file or the configuration, and says so', async (t) => {
	const { folder, open } = storeFolder(t);
	const keyFile = join(folder, 'master.key');
	const store = await open();
	await runAll(store, [createReseller('acme', 10)]);
	await store.close();
	const key = readFileSync(keyFile, 'utf8');
	const other = randomBytes(32);
	await assert.rejects(open(folder, other), /not the master key of the store/);
	writeFileSync(keyFile, `${other.toString('base64')}\n`);
	await assert.rejects(open(), /not the master key of the store/);
	writeFileSync(keyFile, 'half a key');
	await assert.rejects(open(), /must hold a master key of 32 bytes/);
	assert.equal(readFileSync(keyFile, 'utf8'), 'half a key');
	const opened = await open(folder, Buffer.from(key, 'base64'));
	assert.equal((await opened.findAccount('acme', 'acme'))?.proxyAuthkey, keyOf('acme'));
});

test('a file that is not a database is refused and not changed', async (t) => {
	const { folder, open } = storeFolder(t);
	const file = join(folder, 'bursar.db');
	writeFileSync(file, 'this is my shopping list, and I would like to keep it. '.repeat(100));
	await assert.rejects(open(), /not a database/);
	assert.match(readFileSync(file, 'utf8'), /^this is my shopping list/);
});

test('one service at a time opens a store, a second is told which process has it, and commands open it beside', async (t) => {
	const { folder, open } = storeFolder(t);
	const serve = () => openSqliteStore(folder, undefined, { serves: true });
	const store = await serve();
	const files = readdirSync(folder).filter((file) => /serving|pid/.test(file));
	assert.deepEqual(files.sort(), ['bursar.pid', 'bursar.serving']);
	for (const file of files) assert.equal(modeOf(join(folder, file)), '600');
	const refusal = {
		name: 'CopyError',
		code: 'store_in_use',
		message: `a service already serves the store in ${folder}: process ${process.pid} on ${hostname()}. Stop it first`,
	};
	await assert.rejects(serve(), refusal);
	await (await open()).close();
	await assert.rejects(serve(), refusal, 'neither a refused service nor a command gives the lock up');
	await store.close();
	await assert.rejects(openSqliteStore(folder, randomBytes(32), { serves: true }), /not the master key/);
	await (await serve()).close();
});

test('a service serves, and alone, where it cannot write who serves', async (t) => {
	const { folder } = storeFolder(t);
	mkdirSync(join(folder, 'bursar.pid'), { recursive: true });
	const serve = () => openSqliteStore(folder, undefined, { serves: true });
	const store = await serve();
	await assert.rejects(serve(), {
		code: 'store_in_use',
		message: `a service already serves the store in ${folder}. Stop it first`,
	});
	await store.close();
	await (await serve()).close();
});
