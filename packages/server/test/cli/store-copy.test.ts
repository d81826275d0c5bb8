import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { callBursar } from '@bursar/testing/bursar-in-process';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { startTestService } from '@bursar/testing/service';
import { inStore } from '@bursar/testing/sqlite-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import Database from 'better-sqlite3';
import { openSqliteSource } from '../../src/store/sqlite/database/copy-source.ts';
import { assertRefused, copy, copyOf, moveRecord, onPostgres, rowsIn } from '../support/copied-store.ts';
import { type FilledStore, filledStore } from '../support/filled-store.ts';

const databases = await testDatabases();
after(() => databases.remove());
/** Copies in a process of its own, beside others. */
function copyBeside(t: TestContext, dataDir: string, to: string) {
	return runBursar(t, '/nowhere', copyOf(dataDir), { environment: { BURSAR_DATABASE_URL: to } });
}

/** Everything that the API answers to these tokens, without timestamps. */
async function allAnswers(url: string, tokens: FilledStore['tokens']) {
	const answers: unknown[] = [];
	for (const token of Object.values(tokens).flat()) {
		const api = resellerApi(url, token);
		const all = (await api.viewAll()).data;
		const page = { order: 'oldest', limit: 1_000 };
		answers.push((await api.myInfo()).data, all, (await api.viewStatement(page)).data);
		for (const username of usernamesIn(all)) {
			answers.push((await api.viewSingle({ username })).data, (await api.viewTxs({ username })).data);
		}
	}
	return answers;
}

function usernamesIn(value: unknown): string[] {
	return Array.from(JSON.stringify(value).matchAll(/"username":"([^"]+)"/g), ([, name]) => name as string);
}

/** Each engine counts the ids of movements in its own way. */
const TRANSFERS = `reseller, id, debit, credit, amount_cents, kind, at_ms, request_id, debit_balance_cents,
	credit_balance_cents, token_tail, address, wanted_username, change_id, reference`;
const HOURS_SINCE_MS = '1700000000000';
const HOUR_TABLES = ['usage_hours', 'usage_reseller_hours', 'usage_edge_hours'];

function knowHoursSince(dataDir: string, sinceMs: string): void {
	const database = new Database(join(dataDir, 'bursar.db'));
	database.prepare("UPDATE meta SET value = ? WHERE name = 'usage_hours_since_ms'").run(sinceMs);
	database.close();
}

/** How many rows each table has. How many hours there are depends on when the store was filled. */
function countsOf(dataDir: string, tables: readonly string[]): Record<string, number> {
	return inStore(dataDir, (store) =>
		Object.fromEntries(
			tables.map((table) => {
				const count = store.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0;
				assert.ok(count > 0, table);
				return [table, count];
			}),
		),
	);
}

describe('bursar store copy', { concurrency: 2 }, () => {
	test('after a copy, the service on PostgreSQL gives the same answers to the same tokens, and goes on', async (t) => {
		const { dataDir, tokens, reports } = await filledStore(t);
		knowHoursSince(dataDir, HOURS_SINCE_MS);
		const embedded = await startTestService(t, { BURSAR_DATA_DIR: dataDir });
		const before = await allAnswers(embedded.url, tokens);
		assert.equal(before.length, 4 * (3 + 3 * 2), 'a token sees too little');
		await embedded.stop();

		const url = await databases.createDatabase();
		const { code, stdout, stderr } = await copy(dataDir, url);
		assert.equal(code, 0, stderr);
		assert.equal(stderr, '');
		const result = JSON.parse(stdout);
		assert.deepEqual(result, {
			from: dataDir,
			to: url.replace(/:\w+@/, ':***@'),
			usernames: 13,
			accounts: 12,
			deleted_accounts: 1,
			open_connections: 1,
			open_in_processes: 1,
			account_refusals: 1,
			transfers: 3 * (1 + 9 + 1 + 2) + 1 + 3,
			movement_notes: 9,
			top_ups: 6,
			payments: 1,
			tokens: 5,
			operator_tokens: 1,
			brand: 1,
			usage_reports: 500,
			usage_days: 4,
			usage_reseller_days: 3,
			usage_edge_days: 2,
			...countsOf(dataDir, [...HOUR_TABLES, 'events']),
			people: 2,
			removed_people: 1,
			invitations: 1,
			sessions: 200,
			passkeys: 1,
			one_time_codes: 1,
			recovery_codes: 2,
			outbox: 1,
			mail_choices: 1,
			alarms: 1,
			sign_in_tries: 1,
			used_challenges: 1,
			acts: 2,
			low_balances: 1,
			prices: 1,
			meters: 1,
			usage_charges: 1,
			// The day of the old report, and today.
			usage_verdicts: 2,
			usage_refusals: 1,
			usage_corrections: 1,
			verifications: 2,
			edges: 2,
			usage_counters: 3,
			usage_paces: 1,
			sign_in_addresses: 3,
			sign_in_resellers: 1,
			webhook_endpoints: 1,
			webhook_tries: 1,
			changes: 4,
			master_key_file: join(dataDir, 'master.key'),
		});

		const horizon = (meta: string) =>
			`SELECT value FROM ${meta} WHERE name IN ('usage_horizon_ms', 'reading_days', 'usage_hours_since_ms') ORDER BY name`;
		const kept = inStore(dataDir, (store) => store.prepare(horizon('meta')).all()) as readonly {
			readonly value: string;
		}[];
		assert.match(kept[0]?.value ?? '', /^1 \d+$/);
		assert.ok(Number(kept[1]?.value) > 0);
		assert.equal(kept[2]?.value, HOURS_SINCE_MS);
		assert.deepEqual((await inDatabase(url, (database) => database.query(horizon('bursar.meta')))).rows, kept);

		for (const table of [
			'tokens',
			'operator_tokens',
			'brand',
			'deleted_accounts',
			'movement_notes',
			'open_connections',
			'open_in_processes',
			'account_refusals',
			'people',
			'removed_people',
			'sessions',
			'outbox',
			'mail_choices',
			'alarms',
			'one_time_codes',
			'passkeys',
			'edges',
			'usage_counters',
			'usage_paces',
			'changes',
			'sign_in_addresses',
			'sign_in_resellers',
			'webhook_endpoints',
			'webhook_tries',
			'usage_corrections',
			'usage_refusals',
			'prices',
			'meters',
			'usage_charges',
			...HOUR_TABLES,
			'usage_edge_days',
		]) {
			const columns = table === 'transfers' ? TRANSFERS : '*';
			const rows = `SELECT ${columns} FROM %.${table}`;
			const copied = await inDatabase(url, (database) => database.query(rows.replace('%', 'bursar')));
			const inOrder = (all: readonly object[]) => all.map((row) => JSON.stringify(row)).sort();
			const own = inStore(dataDir, (store) => store.prepare<[], object>(rows.replace('%', 'main')).all());
			assert.deepEqual(inOrder(copied.rows), inOrder(own), table);
		}

		const environment = onPostgres(dataDir, url);
		const server = await startTestService(t, environment);
		assert.deepEqual(await allAnswers(server.url, tokens), before);

		const run = async (...args: string[]) => {
			const { code, stdout, stderr } = await callBursar('/nowhere', [...args, '--json'], { environment });
			assert.equal(code, 0, stderr);
			return JSON.parse(stdout);
		};
		const credited = await run('reseller', 'credit', 'acme', '50.00', '--reference', 'invoice of acme');
		assert.equal(credited.repeated, true);
		assert.deepEqual(await run('usage', 'import', reports), { counted: 0, repeated: 500, refused: 0 });
		const newest = "SELECT MAX(id) FROM transfers WHERE reseller = 'zeta.corp'";
		const highest = inStore(dataDir, (store) => store.prepare(newest).pluck().get());
		const api = resellerApi(server.url, tokens['zeta.corp']?.[0] as string);
		assert.equal((await api.give({ username: 'alice.zeta', amount_usd_cents: 1 })).status, 200);
		const ids = await inDatabase(
			url,
			async (database) => (await database.query('SELECT reseller, id FROM bursar.transfers')).rows,
		);
		assert.equal(ids.length, result.transfers + 1);
		assert.deepEqual(ids.at(-1), { reseller: 'zeta.corp', id: (highest as number) + 1 });
		assert.equal((await api.create({ username: 'brand.new' })).status, 200);
		const nextAct = `INSERT INTO bursar.acts (id, person, session, address, kind, target, at_ms, request_id)
			VALUES ('next', 'ann-id', '', '', '', '', 0, '') RETURNING number`;
		assert.deepEqual(
			(await inDatabase(url, (database) => database.query(nextAct))).rows,
			[{ number: 4 }],
			'two were copied, and the import is one',
		);
		const pending = ['reseller', 'rotate-token', 'acme', '--json'];
		assertRefused(await callBursar('/nowhere', pending, { environment }), 'rotation_pending');
		const rotated = await run('reseller', 'rotate-token', 'umbrella');
		assert.equal((await resellerApi(server.url, rotated.token).myInfo()).status, 200);
		assert.equal((await run('ledger', 'verify')).ok, true);
	});

	test('a moved store does not open until it is reopened, which works once', async (t) => {
		const { dataDir, tokens } = await filledStore(t);
		const url = await databases.createDatabase();
		const plain = await callBursar('/nowhere', ['store', 'copy', '--from', dataDir, '--to', url]);
		assert.equal(plain.code, 0, plain.stderr);
		const { password, port, pathname } = new URL(url);
		assert.match(plain.stderr, /^The password in --to can be seen/);
		assert.ok(plain.stderr.includes(`BURSAR_MASTER_KEY_FILE=${join(dataDir, 'master.key')}`));
		const key = readFileSync(join(dataDir, 'master.key'), 'utf8').trim();
		for (const secret of [password, key]) assert.ok(!(plain.stdout + plain.stderr).includes(secret));

		const mark = moveRecord(dataDir);
		assert.deepEqual(Object.keys(mark), ['moved_at', 'moved_to']);
		assert.equal(mark.moved_to, `${pathname.slice(1)} on 127.0.0.1:${port}`);
		for (const args of [['serve'], ['reseller', 'list'], ['ledger', 'verify'], ['backup', join(dataDir, 'x')]]) {
			const message = assertRefused(await runBursar(t, dataDir, [...args, '--json']), 'store_moved');
			for (const part of Object.values(mark)) assert.ok(message.includes(part), message);
			assert.ok(message.endsWith(`bursar store reopen ${dataDir}`), message);
		}
		const other = await databases.createDatabase();
		assertRefused(await copy(dataDir, other), 'store_moved');

		const reopened = await callBursar('/nowhere', ['store', 'reopen', dataDir, '--json']);
		assert.deepEqual(JSON.parse(reopened.stdout), { reopened: dataDir, ...mark });
		assertRefused(await callBursar('/nowhere', ['store', 'reopen', dataDir, '--json']), 'not_moved');
		const server = await startTestService(t, { BURSAR_DATA_DIR: dataDir });
		assert.equal((await resellerApi(server.url, tokens.acme?.[1] as string).myInfo()).status, 200);
		const missing = await callBursar('/nowhere', ['store', 'reopen', join(dataDir, 'none'), '--json']);
		assertRefused(missing, 'no_such_store');
	});

	test('a database with data is refused and stays as it is, and the store is not marked as moved', async (t) => {
		const { dataDir } = await filledStore(t);
		const url = await databases.createDatabase();
		assert.equal((await copy(dataDir, url)).code, 0);
		const rows = await rowsIn(url);
		const second = await filledStore(t);
		const message = assertRefused(await copy(second.dataDir, url), 'target_not_empty');
		assert.ok(!message.includes(new URL(url).password));
		assert.equal(await rowsIn(url), rows);
		assert.deepEqual(moveRecord(second.dataDir), {});
	});

	test('a copy is refused beside a running service and beside another copy', async (t) => {
		const { dataDir, tokens } = await filledStore(t);
		const url = await databases.createDatabase();
		const server = await startTestService(t, { BURSAR_DATA_DIR: dataDir });
		assert.match(assertRefused(await copy(dataDir, url), 'store_in_use'), /stop it first/);
		assert.equal((await resellerApi(server.url, tokens.umbrella?.[0] as string).myInfo()).status, 200);
		await server.stop();
		assert.equal(await rowsIn(url), undefined, 'the copy made tables in the database');

		const endings = await Promise.all([copyBeside(t, dataDir, url), copyBeside(t, dataDir, url)]);
		assert.deepEqual(endings.map(({ code }) => code).sort(), [0, 1], endings.map(({ stderr }) => stderr).join());
	});

	test('no service and no command can open the store while it is copied', async (t) => {
		const { dataDir } = await filledStore(t);
		const source = await openSqliteSource(dataDir, undefined);
		const ends = [['serve'], ['reseller', 'list']].map((args) => runBursar(t, dataDir, [...args, '--json']));
		for (const ending of await Promise.all(ends)) assert.match(assertRefused(ending, 'failed'), /database is locked/);
		source.close();
		assert.equal((await callBursar(dataDir, ['reseller', 'list'])).code, 0);
	});

	test('of two stores copied into one database at once, exactly one succeeds', async (t) => {
		const stores = [await filledStore(t), await filledStore(t)];
		const url = await databases.createDatabase();
		const endings = await Promise.all(stores.map(({ dataDir }) => copyBeside(t, dataDir, url)));
		assert.deepEqual(endings.map(({ code }) => code).sort(), [0, 1]);
		for (const [index, { code }] of endings.entries()) {
			const { dataDir } = stores[index] as FilledStore;
			assert.equal('moved_at' in moveRecord(dataDir), code === 0);
		}
	});

	test('a copy without a store, or with a wrong master key, is refused and changes nothing', async (t) => {
		const { dataDir } = await filledStore(t);
		const url = await databases.createDatabase();
		const BURSAR_MASTER_KEY = randomBytes(32).toString('base64');
		assertRefused(await copy(dataDir, url, { BURSAR_MASTER_KEY }), 'wrong_master_key');
		assertRefused(await copy(join(dataDir, 'none'), url), 'no_such_store');
		assert.equal(await rowsIn(url), undefined);
		assert.deepEqual(moveRecord(dataDir), {});
		const right = readFileSync(join(dataDir, 'master.key'), 'utf8').trim();
		const { code, stdout, stderr } = await copy(dataDir, url, { BURSAR_MASTER_KEY: right });
		assert.equal(code, 0, stderr);
		assert.equal(JSON.parse(stdout).master_key_file, null);
	});

	test('an empty database with another master key gets the key of the store, unless a service uses it', async (t) => {
		const { dataDir, tokens } = await filledStore(t);
		const url = await databases.createDatabase();
		const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: randomBytes(32).toString('base64') };
		const server = await startTestService(t, environment);
		assertRefused(await copy(dataDir, url), 'target_in_use');
		assert.deepEqual(moveRecord(dataDir), {});
		await server.stop();
		const { code, stderr } = await copy(dataDir, url);
		assert.equal(code, 0, stderr);
		const moved = await startTestService(t, onPostgres(dataDir, url));
		assert.equal((await resellerApi(moved.url, tokens.acme?.[0] as string).myInfo()).status, 200);
	});

	test('an empty store can be moved, and then write its first transfer', async (t) => {
		const dataDir = temporaryFolder(t);
		assert.equal((await callBursar(dataDir, ['migrate'])).code, 0);
		const url = await databases.createDatabase();
		assert.equal((await copy(dataDir, url)).code, 0);
		const args = ['reseller', 'create', 'acme', '--balance', '0.05', '--json'];
		const created = await callBursar('/nowhere', args, { environment: onPostgres(dataDir, url) });
		assert.equal(created.code, 0, created.stderr);
	});

	test('a store with ledger problems is not copied, and the problems are named', async (t) => {
		const { dataDir } = await filledStore(t);
		const store = new Database(join(dataDir, 'bursar.db'));
		store.exec("UPDATE accounts SET balance_cents = balance_cents + 1 WHERE username = 'alice.umbr'");
		store.close();
		const url = await databases.createDatabase();
		const message = assertRefused(await copy(dataDir, url), 'copies_differ');
		assert.match(message, /alice\.umbr: the balance is not the sum of its ledger entries/);
		assert.equal(await rowsIn(url), 0);
		assert.deepEqual(moveRecord(dataDir), {});
		assert.equal((await callBursar(dataDir, ['reseller', 'list'])).code, 0);
	});
});
