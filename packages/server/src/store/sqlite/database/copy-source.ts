import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CopiedRow, CopiedTable, CopySource } from '../../copying/copy.ts';
import { CopyError } from '../../copying/copy-error.ts';
import { checkedSeal, MASTER_KEY_CHECK } from '../../secrets/master-key.ts';
import { isMachineFault } from '../writing/transaction.ts';
import { isBusy } from './busy.ts';
import { type Connection, DATABASE_NAME, openAlone } from './connection.ts';
import { sqliteMasterKey } from './master-key.ts';
import { assertNotNewerSqlite, migrateSqlite } from './migrate.ts';
import { assertNotMoved, type MovedMark, readMovedMark, removeMovedMark, writeMovedMark } from './moved-mark.ts';

/** Opens the embedded store in this folder for a copy, for this process alone. Throws `CopyError`. */
export async function openSqliteSource(dataDir: string, givenMasterKey: Uint8Array | undefined): Promise<CopySource> {
	const file = join(dataDir, DATABASE_NAME);
	const connection = await openExisting(file);
	try {
		assertNotNewerSqlite(connection);
		assertNotMoved(connection, dataDir);
		const masterKey = masterKeyOf(connection, file, givenMasterKey);
		return {
			masterKey,
			tables: copiedTables(connection),
			readPages: (table, rowsAtOnce) => readPages(connection, table, rowsAtOnce),
			ask: async (query) => connection.prepare<[], object>(query).all(),
			markMoved: (movedTo) => writeMovedMark(connection, { movedAt: new Date().toISOString(), movedTo }),
			takeMarkBack: () => removeMovedMark(connection),
			close: () => connection.close(),
		};
	} catch (cause) {
		connection.close();
		throw cause;
	}
}

/** Removes the mark of a store that was moved, and returns it. Throws `CopyError` if there is none. */
export async function reopenSqliteStore(dataDir: string): Promise<MovedMark> {
	const connection = await openExisting(join(dataDir, DATABASE_NAME));
	try {
		const mark = readMovedMark(connection);
		if (!mark) throw new CopyError('not_moved', `the store in ${dataDir} is not marked as moved: it can be used`);
		removeMovedMark(connection);
		return mark;
	} finally {
		connection.close();
	}
}

async function openExisting(file: string): Promise<Connection> {
	if (!existsSync(file)) throw new CopyError('no_such_store', `there is no store: ${file} does not exist`);
	let connection: Connection | undefined;
	try {
		connection = openAlone(file);
		await migrateSqlite(connection, false);
		return connection;
	} catch (cause) {
		connection?.close();
		if (isBusy(cause)) {
			throw new CopyError('store_in_use', `a service or a command still uses ${file}: stop it first`);
		}
		throw isMachineFault(cause) ? new Error(`${file}: ${(cause as Error).message}`, { cause }) : cause;
	}
}

function masterKeyOf(connection: Connection, file: string, given: Uint8Array | undefined): Uint8Array {
	const check = connection.prepare(MASTER_KEY_CHECK.sql).pluck().get();
	if (check === undefined)
		throw new CopyError('no_such_store', `${file} was never opened as a store: it has no master key`);
	const masterKey = sqliteMasterKey(file, given, false);
	try {
		checkedSeal(masterKey, check as string);
	} catch (cause) {
		throw new CopyError('wrong_master_key', (cause as Error).message);
	}
	return masterKey;
}

function copiedTables(connection: Connection): readonly CopiedTable[] {
	const tables = connection
		.prepare<[], string>(
			`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('meta', 'migrations')
			 AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid`,
		)
		.pluck()
		.all();
	const columns = connection
		.prepare<[string], [name: string, type: string]>('SELECT name, type FROM pragma_table_xinfo(?) ORDER BY cid')
		.raw();
	return tables.map((name) => ({
		name,
		columns: Object.fromEntries(
			columns
				.all(name)
				.filter(([column]) => !OF_THIS_ENGINE[name]?.includes(column))
				.map(([column, type]) => [column, type === 'TEXT' ? 'text' : 'bigint'] as const),
		),
	}));
}

/** Other engines have what is computed from these columns. */
const OF_THIS_ENGINE: Readonly<Record<string, readonly string[]>> = { transfers: ['position', 'counted'] };

function* readPages(connection: Connection, { name, columns }: CopiedTable, rowsAtOnce: number) {
	// The order of the rows in the file.
	const key = connection.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').pluck().all(name);
	const rows = connection
		.prepare<[], CopiedRow>(`SELECT ${Object.keys(columns).join(', ')} FROM ${name} ORDER BY ${key.join(', ')}`)
		.raw()
		.iterate();
	let page: CopiedRow[] = [];
	for (const row of rows) {
		page.push(row);
		if (page.length < rowsAtOnce) continue;
		yield page;
		page = [];
	}
	if (page.length > 0) yield page;
}
