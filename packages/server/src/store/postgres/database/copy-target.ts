import type { CopiedRow, CopiedTable, CopyTarget } from '../../copying/copy.ts';
import { CopyError } from '../../copying/copy-error.ts';
import type { DatabaseUrl } from '../../database-url.ts';
import { isSealedUnder, MASTER_KEY_CHECK } from '../../secrets/master-key.ts';
import { type Columns, givenRows } from '../../statement.ts';
import { assertDurable } from '../postgres-store.ts';
import { readingFrom } from '../reading.ts';
import { statementOf } from '../rows.ts';
import { beginMarked, commit, createCommitMark, nextMark } from '../writing/commit-mark.ts';
import { type Connections, type Lease, openConnections } from './connections.ts';
import { faultKind } from './faults.ts';
import { createHosts } from './hosts.ts';
import { assertNotNewerPostgres, migratePostgres } from './migrate.ts';
import { awaitNoOtherSessions } from './sessions.ts';

/** How long opening waits for a database that is just starting, in milliseconds. */
const OPEN_LIMIT_MS = 10_000;
/** How long to wait for other sessions that use the tables, in milliseconds. */
const LOCK_LIMIT_MS = 10_000;
/** A large commit may wait long for a standby, and no request waits for this one. */
const COMMIT_LIMITS = { commitMs: 30_000, endMs: 60_000, abandonMs: 60_000 } as const;
/** One for the copy, and one to resolve a lost answer to COMMIT. */
const CONNECTIONS = 2;

/** Opens a PostgreSQL database to copy a store into it. Migrates it if needed. */
export async function openPostgresTarget(url: DatabaseUrl): Promise<CopyTarget> {
	const connections = openConnections(createHosts(url), { max: CONNECTIONS });
	try {
		await migratePostgres(connections, { limitMs: OPEN_LIMIT_MS, mayMigrate: false });
		await assertDurable(readingFrom(connections));
		const lease = await connections.acquire(performance.now() + OPEN_LIMIT_MS);
		lease.unlimit();
		return copyTarget(locationOf(url), connections, lease);
	} catch (cause) {
		await connections.close();
		throw cause;
	}
}

function copyTarget(location: string, connections: Connections, lease: Lease): CopyTarget {
	const mark = nextMark(createCommitMark());
	return {
		location,
		async begin(masterKey, tables) {
			await lease.query(beginMarked(mark, { lockMs: LOCK_LIMIT_MS }));
			await lockOthersOut(lease, location, tables);
			await assertNotNewerPostgres(lease.query);
			await assertEmpty(lease, location, tables);
			await assertNoOtherMasterKey(lease, location, masterKey);
		},
		async write(table, rows) {
			const { sql, values } = statementOf({ into: table.name, rows: givenRows(rows, columnsOf(table)) });
			await lease.query(sql, values);
		},
		async finish(facts, tables) {
			for (const { name, value } of facts) {
				await lease.query(
					'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
					[name, value],
				);
			}
			await continueNumbers(lease);
			// The planner needs statistics for the comparison and for the service.
			await lease.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
		},
		ask: async (query) => (await lease.query<object>(query)).rows,
		async readAccounts({ name, columns }, after, limit) {
			const { rows } = await lease.query<object>(
				`SELECT ${Object.keys(columns).join(', ')} FROM ${name}
				 WHERE (reseller, username) > ($1, $2) ORDER BY reseller, username LIMIT $3`,
				[...after, limit],
			);
			return rows.map(Object.values);
		},
		commit: () => commit(lease, mark, connections, [], COMMIT_LIMITS),
		async close() {
			// Closing rolls back an open transaction.
			lease.destroy();
			await connections.close();
		},
	};
}

/** Until the copy ends, no other session can read or write, and no service can open the store. */
async function lockOthersOut(lease: Lease, location: string, tables: readonly CopiedTable[]): Promise<void> {
	const names = ['meta', ...tables.map(({ name }) => name)];
	try {
		await lease.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
	} catch (cause) {
		if (faultKind(cause) !== 'busy') throw cause;
		throw new CopyError('target_in_use', `another session uses the tables of ${location}: stop what uses the database`);
	}
}

async function assertEmpty(lease: Lease, location: string, tables: readonly CopiedTable[]): Promise<void> {
	for (const { name } of tables) {
		const { rows } = await lease.query(`SELECT 1 FROM ${name} LIMIT 1`);
		if (rows.length === 0) continue;
		throw new CopyError('target_not_empty', `the database ${location} already holds ${name}: give an empty one`);
	}
}

/** A service that runs with another master key would go on sealing with it. */
async function assertNoOtherMasterKey(lease: Lease, location: string, masterKey: Uint8Array): Promise<void> {
	const [check] = (await lease.query<{ value: string }>(MASTER_KEY_CHECK.sql)).rows;
	if (!check || isSealedUnder(masterKey, check.value)) return;
	if (await awaitNoOtherSessions(lease)) return;
	throw new CopyError(
		'target_in_use',
		`a service with another master key uses the database ${location}: stop it first`,
	);
}

/** New rows get numbers above the highest that was copied. */
async function continueNumbers(lease: Lease): Promise<void> {
	const { rows } = await lease.query<{ table: string; column: string }>(
		`SELECT table_name AS table, column_name AS column FROM information_schema.columns
		 WHERE table_schema = current_schema() AND is_identity = 'YES'`,
	);
	for (const { table, column } of rows) {
		const next = `COALESCE(max(${column}), 0) + 1`;
		await lease.query(`SELECT setval(pg_get_serial_sequence('${table}', '${column}'), ${next}, false) FROM ${table}`);
	}
}

function columnsOf({ columns }: CopiedTable): Columns<CopiedRow> {
	return Object.fromEntries(
		Object.entries(columns).map(([name, type], index) => [name, [type, (row: CopiedRow) => row[index]] as const]),
	);
}

function locationOf({ hostUrls }: DatabaseUrl): string {
	const urls = hostUrls.map((url) => new URL(url));
	const hosts = urls.map(({ host, searchParams }) => searchParams.get('host') ?? host);
	return `${decodeURIComponent(urls[0]?.pathname.slice(1) ?? '')} on ${hosts.join(',') || 'the local host'}`;
}
