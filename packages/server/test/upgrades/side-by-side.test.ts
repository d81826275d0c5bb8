import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { resellerApi } from '@bursar/testing/api';
import { runBursar, type ServerProcess, startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { type Operation, successesAmong } from '../support/load.ts';
import { type ServedDatabase, serveDatabase } from '../support/served-database.ts';
import { newerVersion } from './newer-version.ts';

/** How long the load runs before and after each change, in milliseconds. */
const A_WHILE_MS = 1_500;
/** A command waits for 1.8 s before it is refused, and a slow machine takes some more time (docs/bounds.md). */
const ANSWER_LIMIT_MS = 5_000;
const START_LIMIT_MS = 60_000;

const NOT_BREAKING = {
	name: '9001_notes_of_accounts.sql',
	script: `-- breaking: no
CREATE TABLE colours (username text COLLATE "C" PRIMARY KEY, colour text NOT NULL);
ALTER TABLE accounts ADD COLUMN colour text;
ALTER TABLE transfers ADD COLUMN weight bigint NOT NULL DEFAULT 7;
ALTER TABLE acts ADD COLUMN weight bigint NOT NULL DEFAULT 7;
CREATE INDEX accounts_by_colour ON accounts (colour) WHERE colour IS NOT NULL;
`,
};

const BREAKING = {
	name: '9001_other_accounts.sql',
	script: `-- breaking: yes
ALTER TABLE accounts ADD COLUMN colour text;
`,
};

const databases = await testDatabases();
after(() => databases.remove());

test('an old and a new version serve one database while the new one migrates it, and lose and refuse nothing', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 2 });
	const { workload, effects, servers, urls } = served;
	const program = newerVersion(t, NOT_BREAKING);

	const before = workload.start(...urls);
	await setTimeout(A_WHILE_MS);
	assert.equal(await hasMigration(served, NOT_BREAKING.name), false);
	const newer = await startNewer(t, served, program);
	assert.equal(await hasMigration(served, NOT_BREAKING.name), true);
	await setTimeout(A_WHILE_MS);
	const during = await before.stop();
	assertNoneRefused(during);
	await effects.check(during);

	const onOld = workload.start(...urls);
	const onNew = workload.start(newer.url);
	await setTimeout(A_WHILE_MS);
	const beside = [await onOld.stop(), await onNew.stop()] as const;
	for (const operations of beside) {
		assert.ok(successesAmong(operations) > 0, 'a version did not serve');
		assertNoneRefused(operations);
	}
	await effects.check(beside.flat());
	for (const { opsUrl } of servers) assert.match(await readiness(opsUrl), /^200 ready, but .*9001_notes_of_accounts/);
	assert.equal(await readiness(newer.opsUrl), '200 ready\n');

	const older = await served.startServer();
	assert.match(await readiness(older.opsUrl), /^200 ready, but/, 'the old version can still be started');
	const last = workload.start(newer.url);
	for (const server of [...servers, older]) await assertEndsInOrder(server);
	await setTimeout(A_WHILE_MS);
	const alone = await last.stop();
	assertNoneRefused(alone);
	await effects.check(alone);
	await served.assertLedgerInOrder();
	await assertEndsInOrder(newer);
	t.diagnostic(`the longest answers took ${[during, ...beside, alone].map(longestMs).join(', ')} ms`);
});

test('a breaking migration under load stops the old version in order, and every acknowledged change is stored once', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 2 });
	const { workload, effects, servers, urls } = served;
	const load = workload.start(...urls);
	await setTimeout(A_WHILE_MS);
	const newer = await startNewer(t, served, newerVersion(t, BREAKING));
	for (const { ended } of servers) {
		const { code, stdout } = await ended;
		assert.equal(code, 1);
		assert.match(stdout, /newer version of Bursar \(9001_other_accounts\.sql\): start that version/);
		assert.equal(JSON.parse(stdout.trimEnd().split('\n').at(-1) as string).msg, 'stopped');
	}
	const operations = await load.stop();
	assert.ok(successesAmong(operations) > 0);
	await effects.check(operations);

	const onNew = workload.start(newer.url);
	await setTimeout(A_WHILE_MS);
	const after = await onNew.stop();
	assertNoneRefused(after);
	await effects.check(after);
	await assertEndsInOrder(newer);
	assert.equal(await hasMigration(served, BREAKING.name), true);
});

test('reads go on while a script waits for a table, and while another script takes longer than a read may wait', async (t) => {
	const served = await serveDatabase(t, await databases.createDatabase(), { processes: 1 });
	const url = served.environment.BURSAR_DATABASE_URL as string;
	const { myInfo } = resellerApi(served.urls[0] as string, served.workload.token);
	const long = { name: '9002_takes_long.sql', script: '-- breaking: no\nSELECT pg_sleep(6);\n' };
	const program = newerVersion(t, NOT_BREAKING, long);
	const migrating = await inDatabase(url, async (database) => {
		await database.query('BEGIN; LOCK TABLE bursar.accounts IN ACCESS SHARE MODE');
		const run = runBursar(t, temporaryFolder(t), ['migrate'], { environment: served.environment, program });
		const waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'bursar.accounts'::regclass";
		await eventually(async () => assert.ok((await database.query(waits)).rows.length > 0), START_LIMIT_MS);
		// The script waits for this transaction, and reads wait for the script.
		for (let asked = 0; asked < 10; asked++) {
			assert.equal((await myInfo()).status, 200);
			await setTimeout(A_WHILE_MS / 3);
		}
		assert.equal(await hasMigration(served, NOT_BREAKING.name), false);
		await database.query('COMMIT');
		return { run };
	});
	await eventually(async () => assert.equal(await hasMigration(served, NOT_BREAKING.name), true), START_LIMIT_MS);
	while (!(await hasMigration(served, long.name))) {
		assert.equal((await myInfo()).status, 200);
		await setTimeout(A_WHILE_MS / 3);
	}
	assert.equal((await migrating.run).code, 0);
});

async function startNewer(t: TestContext, { environment }: ServedDatabase, program: string): Promise<ServerProcess> {
	return startServer(t, temporaryFolder(t), { environment, program });
}

/** Each command was answered within the limit, and only those were refused whose name was taken. */
function assertNoneRefused(operations: readonly Operation[]): void {
	for (const { reply, kind, tookMs } of operations) {
		assert.ok(reply.kind === 'answered', JSON.stringify(reply));
		if (kind === 'create_taken') assert.equal(reply.errorCode, 'username_taken');
		else assert.equal(reply.status, 200, JSON.stringify(reply));
		assert.ok(tookMs < ANSWER_LIMIT_MS, `a command took ${tookMs} ms`);
	}
}

function longestMs(operations: readonly Operation[]): number {
	return Math.round(Math.max(...operations.map(({ tookMs }) => tookMs)));
}

async function readiness(opsUrl: string): Promise<string> {
	const response = await fetch(`${opsUrl}/readyz`);
	return `${response.status} ${await response.text()}`;
}

async function hasMigration({ environment }: ServedDatabase, name: string): Promise<boolean> {
	return inDatabase(environment.BURSAR_DATABASE_URL as string, async (database) => {
		const found = await database.query('SELECT FROM bursar.migrations WHERE name = $1', [name]);
		return found.rowCount === 1;
	});
}

async function assertEndsInOrder(server: ServerProcess): Promise<void> {
	const { code, stdout } = await server.kill('SIGTERM');
	assert.equal(code, 0);
	assert.equal(JSON.parse(stdout.trimEnd().split('\n').at(-1) as string).msg, 'stopped');
}
