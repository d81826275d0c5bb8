import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { runBursar } from '@bursar/testing/bursar-process';
import { inDatabase } from '@bursar/testing/postgres-books';
import { testDatabases } from '@bursar/testing/postgres-server';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createReseller, NOON_MS } from '../support/commands.ts';
import { usageReports } from '../support/usage-reports.ts';
import { record, runAll } from './suite/engine.ts';

const DAY_MS = 86_400_000;
const HORIZON = "SELECT value::bigint AS ms FROM bursar.meta WHERE name = 'usage_horizon_ms'";

const databases = await testDatabases();
after(() => databases.remove());

async function open(t: TestContext) {
	const url = await databases.createDatabase();
	const store = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	t.after(() => store.close());
	await runAll(store, [createReseller('acme')]);
	return { url, store };
}

function report(id: string, atMs: number) {
	return { source: 'eu', id, username: 'acme', atMs, bytesUp: 1, bytesDown: 1 };
}

/** Locks the horizon like a process that deletes old reports, starts `work`, and commits the moved horizon. */
async function whileHorizonMoves<Result>(url: string, horizonMs: number, work: () => Promise<Result>): Promise<Result> {
	return inDatabase(url, async (database) => {
		await database.query('BEGIN');
		await database.query("UPDATE bursar.meta SET value = $1 WHERE name = 'usage_horizon_ms'", [horizonMs]);
		const working = work();
		await setTimeout(300);
		await database.query('COMMIT');
		return working;
	});
}

test('a report that another process makes too old while it is being counted does not count', async (t) => {
	const { url, store } = await open(t);
	const reports = [report('gone', NOON_MS - DAY_MS), report('new', NOON_MS)];
	const verdicts = await whileHorizonMoves(url, NOON_MS, () => record(store, reports));
	assert.deepEqual(verdicts, [{ refused: 'timestamp_too_old' }, 'counted']);
	const days = await store.listUsageDays('acme', 'acme', 0, 100_000);
	assert.deepEqual(
		days.map(({ bytesUp }) => bytesUp),
		[1],
	);
});

test('if two processes move the horizon at the same time, the later one holds', async (t) => {
	const { url, store } = await open(t);
	const horizon = async () => (await inDatabase(url, (database) => database.query(HORIZON))).rows[0].ms;
	const moveHorizon = (id: string, nowMs: number) => record(store, [report(id, nowMs)], nowMs);
	await record(store, [report('first', NOON_MS)]);
	const laterMs = NOON_MS + 130 * DAY_MS;
	assert.deepEqual(await whileHorizonMoves(url, 5, () => moveHorizon('second', laterMs)), ['counted']);
	assert.equal(await horizon(), NOON_MS + 1);
	const lastMs = laterMs + 130 * DAY_MS;
	assert.deepEqual(await whileHorizonMoves(url, laterMs + 2, () => moveHorizon('third', lastMs)), ['counted']);
	assert.equal(await horizon(), laterMs + 2);
});

test('a batch reads one day of each account, however many days there are, without statistics', async (t) => {
	const { url } = await open(t);
	const [accounts, days] = [100, 200];
	await inDatabase(url, (database) =>
		database.query(
			`INSERT INTO bursar.usernames (username, reseller) SELECT 'user.' || n, 'acme' FROM generate_series(1, ${accounts}) n;
			INSERT INTO bursar.usage_days (reseller, username, day, bytes_up, bytes_down)
			SELECT 'acme', 'user.' || n, day, 1, 1 FROM generate_series(1, ${accounts}) n, generate_series(1, ${days}) day`,
		),
	);
	const read = async () => {
		const sql = "SELECT idx_tup_read AS read FROM pg_stat_user_indexes WHERE indexrelname = 'usage_days_pkey'";
		return Number((await inDatabase(url, (database) => database.query(sql))).rows[0].read);
	};
	const before = await read();
	const users = Array.from({ length: accounts }, (_, n) => `user.${n + 1}`);
	const usual = { edge: 'eu', edgeBytesPerMs: 1, bytesUp: 1, bytesDown: 1 };
	const atMs = NOON_MS;
	const reports = users.map((username) => ({ ...report(username, atMs), username }));
	const readings = users.map((username) => ({ ...usual, counter: username, username, atMs: atMs - DAY_MS }));
	// Sessions publish what they have read when they end.
	const counting = await openPostgresStore(parseDatabaseUrl(url), new Uint8Array(32));
	const verdicts = await record(counting, [...reports, ...readings]).finally(counting.close);
	assert.ok(verdicts.every((verdict) => verdict === 'counted'));
	const rows = (await read()) - before;
	assert.ok(rows <= 10 * accounts, `${rows} entries of the index were read`);
});

test('an import that the database refuses ends with its error, although reports wait', {
	timeout: 45_000,
}, async (t) => {
	const { url } = await open(t);
	await inDatabase(url, (database) =>
		database.query(`CREATE FUNCTION bursar.refuse() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN RAISE EXCEPTION 'refused by a test'; END $$;
			CREATE TRIGGER refuse BEFORE INSERT ON bursar.usage_reports FOR EACH STATEMENT EXECUTE FUNCTION bursar.refuse()`),
	);
	const environment = { BURSAR_DATABASE_URL: url, BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64') };
	const input = usageReports(['acme'], 12_000);
	const { code, stderr } = await runBursar(t, '/nowhere', ['usage', 'import', '-', '--json'], { environment, input });
	assert.equal(code, 1);
	assert.equal(JSON.parse(stderr).error.code, 'import_stopped');
});
