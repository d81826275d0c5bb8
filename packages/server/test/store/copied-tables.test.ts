import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { COPIED_TABLES } from '../../src/store/copy.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { inDatabase as inSqlite, storeFolder } from './sqlite-engine.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** What each engine has for itself, and `store copy` makes anew or goes by in another way. */
const SQLITE_ONLY = ['meta', 'migrations', 'usage_names', 'usage_names_new', 'usage_reports.number'];
const POSTGRES_ONLY = ['meta', 'migrations', 'commit_marks'];

type Column = readonly [table: string, column: string, type: string];

/** The columns of a schema as `table.column type`, without those that an engine has for itself. */
function listed(columns: readonly Column[], own: readonly string[]): string[] {
	return columns
		.filter(([table, column]) => !own.includes(table) && !own.includes(`${table}.${column}`))
		.map(([table, column, type]) => `${table}.${column} ${type}`)
		.sort();
}

const COPIED: readonly Column[] = COPIED_TABLES.flatMap(({ name, columns }) =>
	Object.entries(columns).map(([column, type]) => [name, column, type] as const),
);

test('every table and column of the embedded store is copied and compared, but those that it has for itself', async (t) => {
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

test('every table and column of a PostgreSQL store is filled by a copy, but those that it has for itself', async () => {
	const url = await databases.createDatabase();
	await (await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32))).close();
	const columns = await inDatabase(url, async (database) => {
		const { rows } = await database.query<Column>({
			text: "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'bursar'",
			rowMode: 'array',
		} as never);
		return rows;
	});
	assert.deepEqual(listed(columns, POSTGRES_ONLY), listed(COPIED, []));
});
