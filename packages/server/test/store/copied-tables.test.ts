import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { COPIED_TABLES } from '../../src/store/copying/copied-tables.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { inDatabase as inSqlite, storeFolder } from './sqlite-engine.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** Tables that `store copy` does not copy. */
const SQLITE_ONLY = ['meta', 'migrations'];
const POSTGRES_ONLY = ['meta', 'migrations', 'commit_marks'];

type Column = readonly [table: string, column: string, type: string];

/** The columns of a schema as `table.column type`, without those of some tables. */
function listed(columns: readonly Column[], excluded: readonly string[]): string[] {
	return columns
		.filter(([table]) => !excluded.includes(table))
		.map(([table, column, type]) => `${table}.${column} ${type}`)
		.sort();
}

const COPIED: readonly Column[] = COPIED_TABLES.flatMap(({ name, columns }) =>
	Object.entries(columns).map(([column, type]) => [name, column, type] as const),
);

test('every shared table and column of an SQLite store is copied and compared', async (t) => {
	const { folder, open } = storeFolder(t);
	await (await open()).close();
	const columns = inSqlite(folder, (database) =>
		database
			.prepare<[], Column>(
				`SELECT tables.name, columns.name, columns.type FROM sqlite_schema AS tables
				 JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
			)
			.raw()
			.all(),
	);
	const types = { text: 'TEXT', bigint: 'INTEGER', integer: 'INTEGER' } as Record<string, string>;
	const copied = COPIED.map(([table, column, type]): Column => [table, column, types[type] as string]);
	assert.deepEqual(listed(columns, SQLITE_ONLY), listed(copied, []));
});

test('a copy fills every shared table and column of a PostgreSQL store, and all its numbers go on', async () => {
	const url = await databases.createDatabase();
	await (await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32))).close();
	const columnsWhere = (condition: string) =>
		inDatabase(url, async (database) => {
			const { rows } = await database.query<Column>({
				text: `SELECT table_name, column_name, data_type FROM information_schema.columns
					WHERE table_schema = 'bursar' AND ${condition}`,
				rowMode: 'array',
			} as never);
			return rows;
		});
	assert.deepEqual(listed(await columnsWhere('true'), POSTGRES_ONLY), listed(COPIED, []));
	const numbered = COPIED_TABLES.flatMap(({ name, numberedBy }): Column[] =>
		numberedBy === undefined ? [] : [[name, numberedBy, 'bigint']],
	);
	const numbers = await columnsWhere("(is_identity = 'YES' OR column_default LIKE 'nextval%')");
	assert.deepEqual(listed(numbers, POSTGRES_ONLY), listed(numbered, []));
});
