import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connectTo } from '@bursar/testing/postgres-books';
import { startPostgres, testDatabases } from '@bursar/testing/postgres-server';
import type pg from 'pg';
import type { Transfer } from '../../src/domain/ledger.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { inserts } from '../support/people-rows.ts';
import { unusualDatabase } from '../support/unusual-database.ts';
import type { Engine } from './suite/engine.ts';

/** The master key of all test stores on PostgreSQL. */
const MASTER_KEY = new Uint8Array(32).fill(7);

const BALANCE_RANGE = 'accounts_balance_in_range';

/** A database for one store. */
interface StoreDatabase {
	/** The URL that the service opens. */
	readonly url: string;
	/** For the test itself, which reads or corrupts the data. */
	readonly superuserUrl: string;
}

/** The PostgreSQL engine. Each store has its own copy of a migrated database. The server ends with the test file. */
export async function postgresEngine(): Promise<Engine> {
	const databases = await testDatabases();
	after(() => databases.remove());
	const migrated = await databases.createDatabase();
	await migrate(migrated);
	return engineOn('PostgreSQL', async () => {
		const url = await databases.createDatabase(migrated);
		return { url, superuserUrl: url };
	});
}

/** The same engine with unusual settings of the service's role. */
export async function unusualPostgresEngine(): Promise<Engine> {
	const server = await startPostgres();
	after(() => server.remove());
	const migrated = await unusualDatabase(server);
	await migrate(migrated.url);
	return engineOn('PostgreSQL with unusual settings', () => migrated.copy());
}

async function migrate(url: string): Promise<void> {
	const store = await openPostgresStore(parseDatabaseUrl(url), MASTER_KEY);
	await store.close();
}

function engineOn(name: string, makeDatabase: () => Promise<StoreDatabase>): Engine {
	return {
		name,
		async open(test) {
			const folder = mkdtempSync(join(tmpdir(), 'bursar-store-'));
			const { url, superuserUrl } = await makeDatabase();
			const database = await connectTo(superuserUrl);
			await database.query('SET search_path = bursar');
			const stores: Store[] = [];
			test.after(async () => {
				for (const store of stores) await store.close();
				rmSync(folder, { recursive: true, force: true });
				await database.end();
			});
			const openAnother = async () => {
				const store = await openPostgresStore(parseDatabaseUrl(url), MASTER_KEY);
				let closing: Promise<void> | undefined;
				const close = () => {
					closing ??= store.close();
					return closing;
				};
				stores.push({ ...store, close });
				return { ...store, close };
			};
			return {
				store: await openAnother(),
				folder,
				openAnother,
				transfers: (reseller) => transfersOf(database, reseller),
				rows: async (query) => (await database.query<object>(query)).rows,
				async insert(rows) {
					await database.query('BEGIN');
					try {
						for (const { sql, values } of inserts(rows, 'PostgreSQL')) await database.query(sql, values);
						await database.query('COMMIT');
					} catch (error) {
						await database.query('ROLLBACK');
						throw error;
					}
				},
				corrupt: (sql) => corrupt(database, sql),
				async emptier() {
					const [empty, bringBackRange] = [await emptying(database), await bringingBackRange(database)];
					return async () => {
						await database.query(empty);
						await database.query(bringBackRange);
					};
				},
			};
		},
	};
}

/** A statement that brings back the rows of `meta`, and removes those of the tables that migrations leave empty. */
async function emptying(database: pg.Client): Promise<string> {
	const { rows: tables } = await database.query<{ name: string }>(
		`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'bursar' AND tablename NOT IN ('migrations', 'meta')`,
	);
	const { rows: sequences } = await database.query<{ name: string }>(
		`SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'bursar'`,
	);
	const { rows: meta } = await database.query<{ name: string; value: string }>('SELECT name, value FROM meta');
	return [
		'BEGIN',
		// Without the triggers, which protect the ledger.
		'SET LOCAL session_replication_role = replica',
		...tables.map(({ name }) => `DELETE FROM ${name}`),
		...sequences.map(({ name }) => `ALTER SEQUENCE ${name} RESTART`),
		'DELETE FROM meta',
		...meta.map(({ name, value }) => `INSERT INTO meta (name, value) VALUES ('${name}', '${value}')`),
		'COMMIT',
	].join('; ');
}

/** A statement that brings back the constraint that `corrupt` removes. */
async function bringingBackRange(database: pg.Client): Promise<string> {
	const { rows } = await database.query<{ definition: string }>(
		`SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = '${BALANCE_RANGE}'`,
	);
	return `DO $$ BEGIN
		ALTER TABLE bursar.accounts ADD CONSTRAINT ${BALANCE_RANGE} ${rows[0]?.definition};
	EXCEPTION WHEN duplicate_object THEN END $$`;
}

async function transfersOf(database: pg.Client, reseller: string): Promise<Transfer[]> {
	const { rows } = await database.query<Transfer>(
		`SELECT reseller, debit, credit, amount_cents AS "amountCents", kind, at_ms AS "atMs", request_id AS "requestId",
			debit_balance_cents AS "debitBalanceCents", credit_balance_cents AS "creditBalanceCents"
		 FROM bursar.transfers WHERE reseller = $1 ORDER BY id`,
		[reseller],
	);
	return rows;
}

async function corrupt(database: pg.Client, sql: string): Promise<void> {
	// Without the triggers, which protect the ledger.
	await database.query('SET session_replication_role = replica');
	await database.query(`ALTER TABLE bursar.accounts DROP CONSTRAINT IF EXISTS ${BALANCE_RANGE}`);
	await database.query(sql);
	await database.query('RESET session_replication_role');
}
