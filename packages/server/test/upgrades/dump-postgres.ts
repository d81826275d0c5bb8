import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDatabase } from '@bursar/testing/postgres-books';

/**
 * The schema `bursar` of a database as SQL: the scripts that made it, and all rows. PostgreSQL's own pg_dump is not in the
 * package from npm.
 */
export async function dumpPostgres(url: string, migrationsFolder: string): Promise<string> {
	return inDatabase(url, async (database) => {
		const rowsOf = async (query: string) =>
			(await database.query<{ line: string }>(query)).rows.map(({ line }) => line);
		await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL search_path = bursar');
		const scripts = (await rowsOf('SELECT name AS line FROM migrations ORDER BY name')).map((name) =>
			readFileSync(join(migrationsFolder, name), 'utf8').replaceAll('\r\n', '\n'),
		);
		const rows: string[] = [];
		for (const query of [...(await rowsOf(INSERTS)), ...(await rowsOf(NUMBERS))]) rows.push(...(await rowsOf(query)));
		await database.query('COMMIT');
		return [
			'CREATE SCHEMA bursar;',
			'SET search_path = bursar;',
			'CREATE TABLE migrations (name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL, breaking boolean NOT NULL);',
			...scripts,
			'-- The scripts have written facts that the rows below have too.',
			'TRUNCATE meta;',
			...rows,
			'RESET search_path;',
			'',
		].join('\n');
	});
}

/** For each table, a query whose rows are the statements that insert its rows. */
const INSERTS = `
	SELECT format(
		'SELECT format(%L, %s) AS line FROM %I AS each ORDER BY each',
		format('INSERT INTO %I (%s) VALUES (%s);', table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position),
			string_agg('%L', ', ')),
		string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position), table_name) AS line
	FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
	WHERE table_schema = 'bursar' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
	GROUP BY table_name ORDER BY table_name`;

/** For each sequence, a query whose row is the statement that continues it. */
const NUMBERS = `
	SELECT format('SELECT format(''SELECT setval(%%L, %%s, %%L);'', %L, last_value, is_called) AS line FROM %I',
		sequencename, sequencename) AS line
	FROM pg_sequences WHERE schemaname = 'bursar' ORDER BY sequencename`;
