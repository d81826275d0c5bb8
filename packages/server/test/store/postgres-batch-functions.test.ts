import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import type { Command, Outcome } from '../../src/commands/registry.ts';
import type { Transfer } from '../../src/domain/ledger.ts';
import { usageDayOf } from '../../src/domain/usage.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { beginWriting } from '../../src/store/postgres/database/beginning.ts';
import { type Connections, openConnections, type Query } from '../../src/store/postgres/database/connections.ts';
import { faultKind } from '../../src/store/postgres/database/faults.ts';
import { createHosts } from '../../src/store/postgres/database/hosts.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { findingAccounts, findingPairs } from '../../src/store/postgres/reading.ts';
import { lockAccounts, writingTransfers } from '../../src/store/postgres/writing/batch-functions.ts';
import { commandBatch } from '../../src/store/postgres/writing/command-batch.ts';
import { createBatchWriter, type Transaction } from '../../src/store/postgres/writing/transaction.ts';
import { usageBatch } from '../../src/store/postgres/writing/usage-batch.ts';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import type { PairRow } from '../../src/store/tables/accounts/pair.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS } from '../support/commands.ts';
import { runAll } from './suite/engine.ts';

const SUB_USERS = 300;

const server = await startPostgres();
after(() => server.remove());

/** A store with one reseller, and connections to its database. */
async function openBooks(t: TestContext, count = SUB_USERS) {
	const url = parseDatabaseUrl(await server.createDatabase());
	const store = await openPostgresStore(url, new Uint8Array(32));
	const connections = openConnections(createHosts(url), { max: 2 });
	const lease = await connections.acquire(performance.now() + 60_000);
	t.after(() => {
		lease.destroy();
		return Promise.all([store.close(), connections.close()]);
	});
	const subUsers = Array.from({ length: count }, (_, number) => `user${number}`);
	await runAll(store, [
		createReseller('acme', 10_000_000),
		...subUsers.map((username) => createSubUser('acme', username)),
	]);
	return { connections, lease, subUsers };
}

async function openTransaction(t: TestContext): Promise<Query> {
	const { lease } = await openBooks(t);
	await lease.query(beginWriting());
	return lease.query;
}

const DAY_MS = 86_400_000;

test('a process that does not know yet that the clock jumped counts no day with readings twice', async (t) => {
	const { lease } = await openBooks(t, 1);
	const daysWithReadings = async () => {
		const { rows } = await lease.query<{ value: string }>(
			"SELECT value FROM bursar.meta WHERE name = 'reading_days'",
			[],
		);
		return Number(rows[0]?.value.split(' ')[0]);
	};
	const processes = [Date.now, () => Date.now() + 200 * DAY_MS].map((clockMs) => ({
		clockMs,
		run: usageBatch(clockMs),
	}));
	for (let round = 0; round < 6; round++) {
		for (const { clockMs, run } of processes) {
			const counts = { username: 'user0', bytesUp: round, bytesDown: 0, atMs: clockMs() };
			const reading = { edge: 'eu', counter: 'c1', edgeBytesPerMs: 1, ...counts };
			await lease.query(beginWriting());
			const { writes } = await run(lease.query, [reading], clockMs());
			for (const { sql, values } of writes) await lease.query(sql, values);
			await lease.query('COMMIT', []);
		}
	}
	assert.equal(await daysWithReadings(), 1);
});

const transfer: Transfer = {
	reseller: 'acme',
	debit: 'acme',
	credit: 'user1',
	amountCents: 5,
	kind: 'give',
	atMs: NOON_MS,
	requestId: 'a "quoted" \\ request, {with} everything',
	debitBalanceCents: 95,
	creditBalanceCents: null,
};

test('while a reseller is locked, a batch already locks its sub-users', async (t) => {
	const { connections, lease } = await openBooks(t, 2);
	await lease.query(beginWriting());
	await lease.query("SELECT 1 FROM accounts WHERE username = 'acme' FOR UPDATE");
	const other = await connections.acquire(performance.now() + 60_000);
	await other.query(beginWriting());
	const named = ['acme', 'user0', 'user1'].map((username) => ({ reseller: 'acme', username }));
	const locked = lockAccounts(other.query, named);
	await eventually(async () => {
		const { rows } = await lease.query(
			"SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
		);
		assert.equal(rows.length, 1);
	});
	const free = "SELECT username FROM accounts WHERE reseller = 'acme' FOR UPDATE SKIP LOCKED";
	assert.deepEqual((await lease.query(free)).rows, [{ username: 'acme' }]);
	await lease.query('ROLLBACK');
	assert.equal((await locked).accounts.length, 3);
	other.destroy();
});

test('the time limit of statements ends when the accounts are locked', async (t) => {
	const query = await openTransaction(t);
	await query('SET LOCAL statement_timeout = 60000');
	await lockAccounts(query, [{ reseller: 'acme', username: 'acme' }]);
	assert.deepEqual((await query('SHOW statement_timeout')).rows, [{ statement_timeout: '0' }]);
});

test('if an account does not exist, nothing is written, and the fault is one of the batch', async (t) => {
	const query = await openTransaction(t);
	const balances = ['user1', 'nobody'].map((username) => ({
		reseller: 'acme',
		username,
		balanceCents: 5,
		newestMovement: 0,
	}));
	const { sql, values } = writingTransfers(balances, [{ id: 1, changeId: null, transfer }]) ?? assert.fail();
	await assert.rejects(query(sql, values), (fault: Error) => {
		assert.equal(fault.message, '2 balances had to be written, but 1 were');
		assert.equal(faultKind(fault), 'batch');
		return true;
	});
});

/** How often this session has read the whole table, and how many rows it has found by a key. */
async function readsOf(query: Query, table: string): Promise<{ readonly scans: number; readonly rows: number }> {
	const { rows } = await query<{ scans: number; rows: number }>(
		`SELECT COALESCE(sum(seq_scan), 0)::bigint AS scans, COALESCE(sum(idx_tup_fetch), 0)::bigint AS rows
		 FROM pg_stat_xact_user_tables WHERE relname = '${table}'`,
	);
	return rows[0] ?? assert.fail();
}

/** Runs gives one after another on one connection. Returns how many rows of the table each batch has read. */
async function rowsRead(
	connections: Connections,
	gives: readonly (readonly Command[])[],
	table: 'accounts' | 'changes' = 'accounts',
): Promise<readonly number[]> {
	const transaction = commandBatch(createKeySeal(new Uint8Array(32)), '');
	const read: number[] = [];
	const counted: Transaction<Command, Outcome> = async (query, commands, nowMs) => {
		const before = await readsOf(query, table);
		const work = await transaction(query, commands, nowMs);
		for (const { sql, values } of work.writes) await query(sql, values);
		const now = await readsOf(query, table);
		assert.equal(now.scans, before.scans);
		read.push(now.rows - before.rows);
		return { ...work, writes: [] };
	};
	const writer = createBatchWriter(connections, { lanes: 1, prepareMs: 60_000, transaction: counted });
	for (const batch of gives) {
		const answer = await writer.run(batch, NOON_MS);
		assert.equal(answer.kind, 'committed', 'cause' in answer ? String(answer.cause) : '');
	}
	return read;
}

const givesTo = (usernames: readonly string[]) => usernames.map((username) => giveBalance('acme', username, 1));
/**
 * Each account is read when it is locked, and when it is written. The reseller's is one of them. It is read once more to
 * see whether it is suspended.
 */
const readFor = (gives: number) => 2 * (gives + 1) + 1;

test('without statistics, batches of any size read only the rows that they name', async (t) => {
	const { connections, subUsers } = await openBooks(t);
	// PostgreSQL would choose another kind of plan after five runs.
	const sizes = [1, 1, 1, 1, 1, 1, 1, 1, SUB_USERS, 1, 10, SUB_USERS];
	const batches = sizes.map((size) => givesTo(subUsers.slice(0, size)));
	assert.deepEqual(await rowsRead(connections, batches), sizes.map(readFor));
});

for (const count of [2, 20]) {
	test(`a plan that was made for ${count} accounts reads only the named rows of 20,000`, async (t) => {
		const { connections, lease, subUsers } = await openBooks(t, count);
		await lease.query('ALTER TABLE bursar.accounts SET (autovacuum_enabled = false)');
		await lease.query('ANALYZE bursar.accounts');
		// The lease holds the other connection, so all batches run on one.
		const few = subUsers.slice(0, 1);
		assert.equal((await rowsRead(connections, [givesTo(few)])).length, 1);
		await lease.query(
			`INSERT INTO bursar.accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			 SELECT 'acme', 'more' || number, 0, '', 0 FROM generate_series(1, 20000) AS number`,
		);
		const many = Array.from({ length: SUB_USERS }, (_, number) => `more${number + 1}`);
		const read = await rowsRead(connections, [few, many].map(givesTo));
		assert.deepEqual(read, [1, SUB_USERS].map(readFor));
	});
}

test('plans that were made for no changes read only the named rows of 20,000, and those that they forget', async (t) => {
	const { connections, lease, subUsers } = await openBooks(t);
	await lease.query('ALTER TABLE bursar.changes SET (autovacuum_enabled = false)');
	await lease.query('ANALYZE bursar.changes');
	const named = (first: number, count: number) =>
		givesTo(subUsers.slice(0, count)).map((give, index) => ({ ...give, changeId: `change-number-${first + index}` }));
	assert.equal((await rowsRead(connections, [named(0, 1)], 'changes')).length, 1);
	await lease.query(
		`INSERT INTO bursar.changes (reseller, change_id, kind, at_ms, request_id)
		 SELECT 'acme', 'many-changes-' || number, 'give_balance', number, '' FROM generate_series(1, 20000) AS number`,
	);
	const batches = [named(1, 1), named(10, SUB_USERS), named(10, SUB_USERS)];
	// Each change forgets two. The last batch repeats the one before it, so it finds all its changes and forgets none.
	assert.deepEqual(await rowsRead(connections, batches, 'changes'), [2, 2 * SUB_USERS, SUB_USERS]);
});

test('plans that were made for 2 accounts without meters find accounts and meters among 20,000 by their keys', async (t) => {
	const { lease } = await openBooks(t, 2);
	for (const table of ['accounts', 'meters']) {
		await lease.query(`ALTER TABLE bursar.${table} SET (autovacuum_enabled = false)`);
		await lease.query(`ANALYZE bursar.${table}`);
	}
	const findAccounts = findingAccounts(async <Row extends object>(sql: string, values: readonly unknown[]) => {
		return (await lease.query<Row>(sql, values)).rows;
	});
	const find = async (usernames: readonly string[]) => {
		const names = usernames.map((username) => ({ reseller: 'acme', username }));
		return (await findAccounts(names)).map((row) => row?.balanceCents);
	};
	await lease.query(beginWriting());
	assert.deepEqual(await find(['user0', 'nobody', 'acme']), [0, undefined, 10_000_000 - 20]);
	await lease.query('COMMIT');
	await lease.query(
		`WITH more AS (SELECT 'more' || number AS username FROM generate_series(1, 20000) AS number), opened AS (
			INSERT INTO bursar.accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms)
			SELECT 'acme', username, 50, '', 0 FROM more)
		 INSERT INTO bursar.meters (reseller, username, price, micro_usd_per_gb, bytes, cost_cents, cost_rest, settled_bytes,
			charged_cents, uncollected_cents, due_since_ms)
		 SELECT 'acme', username, 1, 10000000, 30000000, 30, 0, 0, 0, 0, 0 FROM more`,
	);
	await lease.query(beginWriting());
	const names = Array.from({ length: 200 }, (_, number) => `more${number + 1}`);
	for (const table of ['accounts', 'meters'] as const) {
		const before = await readsOf(lease.query, table);
		assert.deepEqual(await find(names), Array(200).fill(20));
		const now = await readsOf(lease.query, table);
		assert.deepEqual([now.scans - before.scans, now.rows - before.rows], [0, 200], table);
	}
	await lease.query('ROLLBACK');
});

test('plans that were made for 2 accounts find pairs and their days among 20,000 accounts by their keys', async (t) => {
	const { lease } = await openBooks(t, 2);
	const tables = ['usernames', 'accounts', 'meters', 'usage_days', 'open_connections', 'open_in_processes'] as const;
	for (const table of tables) {
		await lease.query(`ALTER TABLE bursar.${table} SET (autovacuum_enabled = false)`);
		await lease.query(`ANALYZE bursar.${table}`);
	}
	const find = async (usernames: readonly string[]) => {
		const { sql, values } = findingPairs(usernames, NOON_MS);
		return (await lease.query<PairRow>(sql, values)).rows;
	};
	await lease.query(beginWriting());
	const first = await find(['user0', 'nobody', 'acme']);
	assert.deepEqual(
		first.map(({ username, liveCents, leftOfTotal }) => [username, liveCents, leftOfTotal]),
		[
			['user0', 0, null],
			['acme', 10_000_000 - 20, null],
		],
	);
	await lease.query('COMMIT');
	await lease.query(
		`WITH more AS (SELECT 'more' || number AS username FROM generate_series(1, 20000) AS number), named AS (
			INSERT INTO bursar.usernames (username, reseller) SELECT username, 'acme' FROM more), opened AS (
			INSERT INTO bursar.accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms, day_bytes, month_bytes,
				total_bytes, connections)
			SELECT 'acme', username, 50, '', 0, 100, 100, 100, 5 FROM more), used AS (
			INSERT INTO bursar.usage_days (reseller, username, day, bytes_up, bytes_down)
			SELECT 'acme', username, ${usageDayOf(NOON_MS)} - ago, 1, 2 FROM more, generate_series(0, 1) AS ago), connected AS (
			INSERT INTO bursar.open_connections (username, edge, open, at_ms) SELECT username, 'eu', 2, ${NOON_MS} FROM more)
		 INSERT INTO bursar.open_in_processes (username, edge, process, open, at_ms)
		 SELECT username, 'us', 'p', 3, ${NOON_MS} FROM more`,
	);
	await lease.query(beginWriting());
	const names = Array.from({ length: 200 }, (_, number) => `more${number + 1}`);
	const before = await Promise.all(tables.map((table) => readsOf(lease.query, table)));
	const found = await find(names);
	assert.deepEqual(
		found.map(({ username }) => username),
		names,
	);
	for (const { leftOfTotal, open } of found) {
		assert.equal(leftOfTotal, 94);
		const [eu, us] = [
			{ edge: 'eu', process: '', open: 2 },
			{ edge: 'us', process: 'p', open: 3 },
		];
		assert.deepEqual(JSON.parse(open ?? ''), [eu, us]);
	}
	// Of each pair, its account and that of its reseller, and the days of three limits.
	const most = {
		usernames: 200,
		accounts: 400,
		meters: 0,
		usage_days: 1_000,
		open_connections: 200,
		open_in_processes: 200,
	};
	for (const [index, table] of tables.entries()) {
		const [then, now] = [before[index] ?? assert.fail(), await readsOf(lease.query, table)];
		assert.equal(now.scans - then.scans, 0, table);
		assert.ok(now.rows - then.rows <= most[table], `${now.rows - then.rows} rows of ${table}`);
	}
	await lease.query('ROLLBACK');
});
