import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type pg from 'pg';
import type { Transfer } from '../../src/domain/ledger.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../src/store/store.ts';
import { inDatabase } from '../support/postgres-books.ts';
import { testDatabases } from '../support/postgres-server.ts';
import type { Corruption, Engine } from './suite/engine.ts';

/** The master key of all test stores on PostgreSQL. */
const MASTER_KEY = new Uint8Array(32).fill(7);

/** The PostgreSQL engine, in a database of its own for each store, all on one server that ends with the file. */
export async function postgresEngine(): Promise<Engine> {
	const databases = await testDatabases();
	after(() => databases.remove());
	return {
		name: 'PostgreSQL',
		async open(test) {
			const folder = mkdtempSync(join(tmpdir(), 'bursar-store-'));
			const url = await databases.createDatabase();
			const stores: Store[] = [];
			test.after(async () => {
				for (const store of stores) await store.close();
				rmSync(folder, { recursive: true, force: true });
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
				transfers: (reseller) => inDatabase(url, (database) => transfersOf(database, reseller)),
				corrupt: (corruption) => inDatabase(url, (database) => corrupt(database, corruption)),
			};
		},
	};
}

async function transfersOf(database: pg.Client, reseller: string): Promise<Transfer[]> {
	const { rows } = await database.query<Transfer>(
		`SELECT reseller, debit, credit, amount_cents AS "amountCents", kind, at_ms AS "atMs", request_id AS "requestId",
			debit_balance_cents AS "debitBalanceCents", credit_balance_cents AS "creditBalanceCents"
		 FROM transfers WHERE reseller = $1 ORDER BY id`,
		[reseller],
	);
	return rows;
}

async function corrupt(database: pg.Client, corruption: Corruption): Promise<void> {
	const { username } = corruption;
	await database.query('DROP TRIGGER transfers_are_never_changed ON transfers');
	await database.query('ALTER TABLE accounts DROP CONSTRAINT accounts_balance_cents_check');
	const lastEntry = '(SELECT MAX(id) FROM transfers WHERE debit = $1 OR credit = $1)';
	switch (corruption.kind) {
		case 'balance':
			await database.query('UPDATE accounts SET balance_cents = $2 WHERE username = $1', [
				username,
				corruption.balanceCents,
			]);
			return;
		case 'last_entry_amount':
			await database.query(`UPDATE transfers SET amount_cents = $2 WHERE id = ${lastEntry}`, [
				username,
				corruption.amountCents,
			]);
			return;
		case 'last_entry_removed':
			await database.query(`DELETE FROM transfers WHERE id = ${lastEntry}`, [username]);
			return;
		case 'account_removed':
			await database.query('DELETE FROM accounts WHERE username = $1', [username]);
			return;
		case 'username_removed':
			await database.query('DELETE FROM usernames WHERE username = $1', [username]);
			return;
	}
}
