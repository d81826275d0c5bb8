import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startServer } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { freePort } from '@bursar/testing/free-port';
import { postgresBooks } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { openReseller } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import type { StoredBooks, TransferRow } from '@bursar/testing/stored-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { Bursar, type RecordedChange } from '../../src/index.ts';
import { type Changer, type Operation, observedFetch, operate, type Task } from '../support/client-operations.ts';
import { openFaultyNetwork } from '../support/faulty-network.ts';
import { LATE_MS, seededFates } from '../support/network-fates.ts';

// Several clients change the same sub-users, so each is another writer to the others. The service is killed again and
// again, and a faulty network loses and delays requests and answers.

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const CLIENTS = isLong ? 24 : 8;
const TASKS_EACH = isLong ? 40 : 8;
const MOST_KILLS = isLong ? 40 : 4;
const SUB_USERS = ['alice', 'bruno', 'chiara'];
const KINDS = ['give', 'give', 'take', 'take', 'create', 'reset'] as const;
/** More than all takes together. */
const FIRST_CENTS = 1_000_000;
const OPENING_CENTS = 10_000_000;

const databases = await testDatabases();
after(() => databases.remove());

test('no report is wrong and none stays unknown, while the service is killed again and again', {
	concurrency: true,
}, async (t) => {
	const onSqlite = t.test('on SQLite', async (t) => {
		const dataDir = temporaryFolder(t);
		await assertTrueReports(t, dataDir, {}, sqliteBooks(dataDir));
	});
	const onPostgres = t.test('on PostgreSQL', async (t) => {
		const url = await databases.createDatabase();
		const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
		const books = postgresBooks(() => url);
		await assertTrueReports(t, temporaryFolder(t), environment, books);
	});
	await Promise.all([onSqlite, onPostgres]);
});

test('no call of ten workers fails while the service restarts for five seconds', async (t) => {
	const dataDir = temporaryFolder(t);
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', OPENING_CENTS);
	const environment = { BURSAR_PORT: String(await freePort()) };
	const first = await startServer(t, dataDir, { environment });
	const bursar = new Bursar({ baseUrl: first.url, token });
	let isOver = false;
	let gives = 0;
	const workers = Array.from({ length: 10 }, async (_, index) => {
		const username = `worker.${index}`;
		await bursar.subUsers.create(username);
		for (let balance = 1; !isOver; balance++, gives++) {
			assert.equal((await bursar.subUsers.give(username, 1)).balanceCents, balance);
		}
	});
	const working = Promise.all(workers);
	await setTimeout(1_000);
	await first.kill('SIGTERM');
	await setTimeout(5_000);
	await startServer(t, dataDir, { environment });
	const before = gives;
	await Promise.race([working, eventually(async () => assert.ok(gives > before + 20))]);
	isOver = true;
	await working;
	t.diagnostic(`${gives} gives`);
});

async function assertTrueReports(
	t: TestContext,
	dataDir: string,
	database: Readonly<Record<string, string>>,
	books: StoredBooks,
): Promise<void> {
	const seed = printedSeed(t);
	const random = randomFrom(seed);
	const config = readConfig({ BURSAR_DATA_DIR: dataDir, ...database });
	const { token } = await openReseller(config, 'acme', OPENING_CENTS);
	const environment = { ...database, BURSAR_PORT: String(await freePort()) };
	let server = await startServer(t, dataDir, { environment });
	const reliable = new Bursar({ baseUrl: server.url, token });
	for (const username of SUB_USERS) {
		await reliable.subUsers.create(username);
		await reliable.subUsers.give(username, FIRST_CENTS);
	}
	const { newest } = await books.totals();
	const network = await openFaultyNetwork(t, server.url, seededFates(seed));
	const clients = Array.from({ length: CLIENTS }, (_, index) => {
		const client = new Bursar({
			baseUrl: network.url,
			token,
			fetch: observedFetch,
			timeoutMs: LATE_MS.least - 100,
		});
		return runTasks(client, seed, tasksOf(index, random));
	});
	let isOver = false;
	const working = Promise.all(clients).finally(() => {
		isOver = true;
	});
	let kills = 0;
	while (!isOver && kills < MOST_KILLS) {
		await setTimeout(500 + random.below(3_000));
		await server.kill('SIGKILL');
		kills++;
		await setTimeout(random.below(1_500));
		server = await startServer(t, dataDir, { environment });
	}
	const operations = (await working).flat();
	await network.quiet();

	const rows = (await books.transfersBehind(newest)).filter(({ debit, credit }) => [debit, credit].includes('acme'));
	const wrong: unknown[] = [];
	const counts: Record<string, number> = {};
	for (const operation of operations) {
		const { report } = operation;
		let isDone = report.kind === 'done';
		if (report.kind === 'unknown') isDone = (await reliable.changes.settle(report.error.known)) !== undefined;
		const recorded = await reliable.changes.retrieve(idOf(seed, operation));
		const times = await timesDone(operation, recorded, rows, books);
		if (times !== Number(isDone) || (recorded !== undefined) !== isDone || !isResultRight(operation, recorded)) {
			wrong.push({ operation, isDone, times, recorded });
		}
		const name = report.kind === 'done' ? `done by ${report.what.confirmedBy}` : report.kind;
		counts[name] = (counts[name] ?? 0) + 1;
	}
	t.diagnostic(`${kills} kills: ${JSON.stringify(counts)}`);
	assert.deepEqual(wrong, []);
	const fees = rows.filter(({ kind }) => kind === 'create_fee').length;
	const creates = operations.filter(({ kind }) => kind === 'create');
	assert.equal(fees, (await books.accountsAmong(creates.map(({ username }) => username))).size, 'one fee for each');
	assert.deepEqual(await books.ledgerProblems(), []);
}

/** Amounts are unique, so that the ledger tells how often each transfer was done. */
function tasksOf(client: number, random: Random): Task[] {
	return Array.from({ length: TASKS_EACH }, (_, index): Task => {
		const number = client * TASKS_EACH + index + 1;
		const kind = KINDS[random.below(KINDS.length)] as Task['kind'];
		const username = kind === 'create' ? `new.${number}` : (SUB_USERS[random.below(SUB_USERS.length)] as string);
		return { number, kind, username, amountCents: number, givenUpAfterMs: undefined };
	});
}

async function runTasks(client: Bursar, seed: number, tasks: readonly Task[]): Promise<Operation[]> {
	const operations: Operation[] = [];
	for (const task of tasks) {
		const changeId = idOf(seed, task);
		const changer: Changer = {
			create: (username, options) => client.subUsers.create(username, { ...options, changeId }),
			give: (username, cents, options) => client.subUsers.give(username, cents, { ...options, changeId }),
			take: (username, cents, options) => client.subUsers.take(username, cents, { ...options, changeId }),
			resetAuthKey: (username, options) => client.subUsers.resetAuthKey(username, { ...options, changeId }),
		};
		operations.push(await operate(changer, task));
	}
	return operations;
}

function idOf(seed: number, { number }: Task): string {
	return `restarts-test-${seed}-${number}`;
}

/** The ledger tells how often a transfer was done. Only the record of a reset tells that it was done. */
async function timesDone(
	{ kind, username, amountCents }: Operation,
	recorded: RecordedChange | undefined,
	rows: readonly TransferRow[],
	books: StoredBooks,
): Promise<number> {
	if (kind === 'reset') return recorded === undefined ? 0 : 1;
	if (kind === 'create') return (await books.accountsAmong([username])).size;
	const own = (row: TransferRow) => row.kind === kind && row.amountCents === amountCents;
	return rows.filter((row) => own(row) && [row.debit, row.credit].includes(username)).length;
}

function isResultRight({ report }: Operation, recorded: RecordedChange | undefined): boolean {
	if (report.kind !== 'done' || !('balanceCents' in report.what)) return true;
	return report.what.balanceCents === recorded?.balanceCents && report.what.requestId === recorded.requestId;
}
