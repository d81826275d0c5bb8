import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteSource } from '../../src/store/sqlite/database/copy-source.ts';
import { storeFolder } from './sqlite-engine.ts';

const databases = await testDatabases();
after(() => databases.remove());

/** Tables of one engine only, and those that each engine keeps in its own way. `store copy` copies all others. */
const NOT_COPIED = ['meta', 'migrations', 'commit_marks'];
const TYPES: Readonly<Record<string, string>> = { text: 'TEXT', bigint: 'INTEGER', integer: 'INTEGER' };

type Column = readonly [table: string, column: string, type: string];

/** The columns of a schema as `table.column type`. */
function listed(columns: readonly Column[]): string[] {
	return columns
		.filter(([table]) => !NOT_COPIED.includes(table))
		.map(([table, column, type]) => `${table}.${column} ${TYPES[type] ?? type}`)
		.sort();
}

test('both engines have the same tables and columns, so that every row of a store can be copied', async (t) => {
	const { folder, open } = storeFolder(t);
	await (await open()).close();
	const source = await openSqliteSource(folder, undefined);
	source.close();
	const ofSqlite = source.tables.flatMap(({ name, columns }) =>
		Object.entries(columns).map(([column, type]): Column => [name, column, type]),
	);
	const url = await databases.createDatabase();
	await (await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32))).close();
	const ofPostgres = await inDatabase(url, async (database) => {
		const { rows } = await database.query<Column>({
			text: "SELECT table_name, column_name, data_type FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'bursar' AND table_type = 'BASE TABLE'",
			rowMode: 'array',
		} as never);
		return rows;
	});
	assert.ok(ofSqlite.length > 0);
	assert.deepEqual(listed(ofPostgres), listed(ofSqlite));
});
