import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { startTestService } from '@bursar/testing/service';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { createKeySeal } from '../../src/store/secrets/key-seal.ts';
import { linkContext } from '../../src/store/tables/people/mailed-links.ts';
import { codesContext } from '../../src/store/tables/people/person.ts';
import { ANN, inserts, peopleRows, webhookRows } from './people-rows.ts';

/** How many sub-users `keysOf` makes. */
export const SUB_USERS = 8;
const NAMES = Array.from({ length: SUB_USERS }, (_, n) => `user${n}`);

type Statement = ReturnType<typeof inserts>[number];

/**
 * A store with a reseller and its people. `keysOf` adds sub-users and returns all auth keys. `codesUnder` opens the
 * secret of Ann's one-time codes under a master key, `linkUnder` that of the operator's link. No service runs on it.
 */
export async function makeSealedStore(t: TestContext, environment: Readonly<Record<string, string>>) {
	const folder = temporaryFolder(t);
	const created = await runBursar(t, folder, ['reseller', 'create', 'acme', '--balance', '90.00', '--json'], {
		environment,
	});
	const { token } = JSON.parse(created.stdout);
	const presentKey = environment.BURSAR_MASTER_KEY ?? readFileSync(join(folder, 'master.key'), 'utf8');
	const sealUnder = (base64: string) => createKeySeal(Buffer.from(base64, 'base64'));
	const url = environment.BURSAR_DATABASE_URL;
	const runAll = async (statements: readonly Statement[]): Promise<readonly object[]> =>
		url === undefined ? runOnSqlite(join(folder, 'bursar.db'), statements) : runOnPostgres(url, statements);
	const query = (sql: string) => runAll([{ sql, values: [] }]);
	const engine = url === undefined ? 'SQLite' : 'PostgreSQL';
	const of = ['acme', sealUnder(presentKey), Date.now()] as const;
	await runAll(inserts({ ...peopleRows(...of), ...webhookRows(...of) }, engine));
	const codesUnder = async (base64: string) => {
		const [row] = (await query('SELECT sealed_secret AS sealed FROM bursar.one_time_codes')) as [{ sealed: string }];
		return sealUnder(base64).openOnce(row.sealed, codesContext(ANN));
	};
	const linkUnder = async (base64: string) => {
		const [row] = (await query('SELECT hash, sealed_secret AS sealed FROM bursar.invitations')) as [
			{ hash: string; sealed: string },
		];
		return sealUnder(base64).openOnce(row.sealed, linkContext(row.hash));
	};
	const keysOf = async (more: Readonly<Record<string, string>> = environment) => {
		const service = await startTestService(t, { BURSAR_DATA_DIR: folder, ...more });
		const api = resellerApi(service.url, token);
		for (const username of NAMES) await api.create({ username });
		const all = [(await api.myInfo()).data, ...(await api.viewAll()).data];
		await service.stop();
		return all.map(({ username, proxy_authkey }) => `${username} ${proxy_authkey}`);
	};
	const keyFile = join(folder, 'new.key');
	const key = randomBytes(32).toString('base64');
	writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
	/** The rows of all tables, as JSON by table, without `ignored`. */
	const rowsOf = async (ignored: readonly string[]) => {
		const listed =
			url === undefined
				? "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
				: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'bursar' ORDER BY tablename";
		const tables = ((await query(listed)) as { name: string }[]).map(({ name }) => name);
		const rows: Record<string, readonly string[]> = {};
		for (const table of tables.filter((name) => !ignored.includes(name))) {
			rows[table] = (await query(`SELECT * FROM bursar.${table}`)).map((row) => JSON.stringify(row)).sort();
		}
		return rows;
	};
	const change = async (file = keyFile, more: Readonly<Record<string, string>> = environment) => {
		const ending = await runBursar(t, folder, ['master-key', 'change', '--to-file', file, '--json'], {
			environment: more,
		});
		assert.ok(!(ending.stdout + ending.stderr).includes(key), 'the key is printed');
		return ending;
	};
	return { folder, token, presentKey, key, keyFile, keysOf, codesUnder, linkUnder, query, rowsOf, change };
}

/** Runs the statements in one transaction, because each commit is written to the disk. Returns the rows of the last one. */
function runOnSqlite(file: string, statements: readonly Statement[]): readonly object[] {
	const database = new Database(file);
	const run = ({ sql, values }: Statement) => {
		const statement = database.prepare<unknown[], object>(sql.replaceAll('bursar.', ''));
		return statement.reader ? statement.all(...values) : [statement.run(...values)];
	};
	const rows = database.transaction(() => statements.map(run))();
	database.close();
	return rows.at(-1) ?? [];
}

/** As on SQLite. */
async function runOnPostgres(url: string, statements: readonly Statement[]): Promise<readonly object[]> {
	return inDatabase(url, async (database) => {
		let rows: readonly object[] = [];
		await database.query('BEGIN');
		for (const { sql, values } of statements) ({ rows } = await database.query(sql, [...values]));
		await database.query('COMMIT');
		return rows;
	});
}
