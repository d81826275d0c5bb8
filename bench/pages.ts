// `view_page` of a reseller with very many sub-users, compared with one that has few. Both have the same pages to answer.
//
//   npm run bench -- pages
//
// The sub-users on the pages are made by the API. The others stand before and behind them in the order of names, and are
// written into the tables, because the API would take long. One in a hundred of them is suspended, and one expires.
//
// BENCH_SUB_USERS (2000000), BENCH_CONNECTIONS (4), BENCH_ROUNDS (10), BENCH_TURN_MS (500)
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { allEndpoints } from '@bursar/contract';
import Database from 'better-sqlite3';
import { openLoad, requestOf, sendEach } from './load.ts';
import { processorMs } from './processor-time.ts';
import { print, printComparison, printHeader, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { type Reseller, seedResellers, subUserName } from './seed.ts';
import { startBursar } from './servers.ts';
import { type Engine, openPostgres, openSqlite, type Postgres, type Store } from './stores.ts';
import { compareInTurns } from './turns.ts';

const MANY = Number(process.env.BENCH_SUB_USERS ?? 2_000_000);
const FEW = 1000;
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 4);
const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 10),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 500),
	warmUpRounds: 2,
};
const RESELLER = 'bench';
/** Names before and behind those on the pages. */
const BEFORE = 'aench';
const BEHIND = 'cench';
const IN_A_STATE = 10;
const PREPARED = 1000;

/** What a page asks for, besides its prefix. */
const PAGES: Readonly<Record<string, () => object>> = {
	'a page of 100': () => ({ after: subUserName(RESELLER, randomInt(FEW - 100)) }),
	'100 that are active': () => ({ after: subUserName(RESELLER, randomInt(FEW - 200)), state: 'active' }),
	'10 that are suspended': () => ({ state: 'suspended' }),
	'10 that have expired': () => ({ state: 'expired' }),
	'20 that cannot be used': () => ({ usable: false }),
};

await runBenchmark(async (stops) => {
	print(
		`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms: a reseller with ${MANY} sub-users, and one with ${FEW}.`,
	);
	print('"us" is microseconds of processor time for each page, of PostgreSQL too.\n');
	printHeader();
	const sqlite = openSqlite(stops);
	const postgres = await openPostgres(stops);
	for (const engine of [sqlite, postgres]) {
		await using running = new AsyncDisposableStack();
		const start = async (subUsers: number) => {
			tell(`filling a store with ${subUsers} sub-users on ${engine.name}...`);
			const store = await engine.newStore();
			const [reseller] = (await seedResellers(store, [RESELLER], FEW)) as [Reseller];
			await fill(store, subUsers - FEW, postgres);
			const bursar = await startBursar(store);
			running.defer(bursar.stop);
			await sendEach(bursar.url, stateRequests(reseller), CONNECTIONS);
			const processor = () => processorMs(bursar.pid) + engine.processorMs();
			return { reseller, url: bursar.url, processorMs: processor };
		};
		await comparePages(engine, await start(MANY), await start(FEW));
	}
});

interface Target {
	readonly reseller: Reseller;
	readonly url: string;
	processorMs(): number;
}

async function comparePages(engine: Engine, many: Target, few: Target): Promise<void> {
	for (const [what, fieldsOf] of Object.entries(PAGES)) {
		await using loads = new AsyncDisposableStack();
		const open = async (name: string, { reseller, url, processorMs }: Target) => {
			const requests = Array.from({ length: PREPARED }, () => {
				const fields = { prefix: `${RESELLER}.`, limit: 100, ...fieldsOf() };
				return requestOf(allEndpoints.viewSubUserPage.path, reseller.token, fields);
			});
			const { work, close } = await openLoad(url, requests, CONNECTIONS);
			loads.defer(close);
			return { name, copies: [{ work, processorMs }] };
		};
		const compared = await compareInTurns(await open('many', many), [await open('few', few)], TURNS);
		for (const one of compared) printComparison(`${what}, ${engine.name}`, one);
	}
}

/** The first ones on the pages are suspended, and the next ones have expired. */
function stateRequests({ token }: Reseller): readonly string[] {
	const { suspendSubUser, setLimits } = allEndpoints;
	return Array.from({ length: IN_A_STATE }, (_, number) => [
		requestOf(suspendSubUser.path, token, { username: subUserName(RESELLER, number) }),
		requestOf(setLimits.path, token, {
			username: subUserName(RESELLER, IN_A_STATE + number),
			expires_at: '2020-01-01T00:00:00Z',
		}),
	]).flat();
}

/** Writes sub-users into the tables. Their keys cannot be opened, so no page may have them. */
async function fill(store: Store, subUsers: number, postgres: Postgres): Promise<void> {
	if (subUsers <= 0) return;
	const columns = `reseller, username, balance_cents, sealed_auth_key, created_at_ms, suspended_at_ms, expires_at_ms,
		told_reason`;
	const rows = (numbers: string, name: string) => `
		INSERT INTO accounts (${columns}) SELECT '${RESELLER}', ${name}, 0, sealed_auth_key, created_at_ms,
			CASE WHEN number % 100 = 0 THEN created_at_ms END, CASE WHEN number % 100 = 1 THEN 1577836800000 END,
			CASE number % 100 WHEN 0 THEN 'suspended' WHEN 1 THEN 'expired' END
		FROM ${numbers}, (SELECT sealed_auth_key, created_at_ms FROM accounts WHERE username = '${RESELLER}') AS pattern;
		INSERT INTO usernames (username, reseller)
			SELECT username, reseller FROM accounts WHERE username LIKE '${BEFORE}%' OR username LIKE '${BEHIND}%';`;
	const begin = `CASE WHEN number % 2 = 0 THEN '${BEFORE}' ELSE '${BEHIND}' END`;
	if (store.BURSAR_DATABASE_URL !== undefined) {
		const numbers = `generate_series(1, ${subUsers}) AS number`;
		const sql = rows(numbers, `${begin} || lpad(number::text, 9, '0')`);
		await postgres.fill(store.BURSAR_DATABASE_URL, `SET search_path TO bursar; ${sql}`);
		return;
	}
	const database = new Database(join(store.BURSAR_DATA_DIR as string, 'bursar.db'));
	// In the order of names, so that the tables are written from their beginning to their end.
	const numbers = `(WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers
		WHERE number < ${subUsers}) SELECT number FROM numbers ORDER BY number % 2, number)`;
	database.exec(`BEGIN; ${rows(numbers, `${begin} || printf('%09d', number)`)} COMMIT;`);
	database.close();
}
