// Bursar on PostgreSQL, compared with what PostgreSQL does by itself on the same server.
//
//   npm run bench -- postgres      needs pgbench: apt-get install postgresql
//   npm run bench -- postgres --pgledger FILE --tb-perf FILE
//                                  compares a hot give with these peers too, from their own SQL: pgledger.sql after the
//                                  function that it needs for its ids, and scripts/init-postgresql.sql of tb-perf
//
// give_balance is compared with two ways to move the same money (see pgbench.ts), hot and spread: hot is one reseller
// that pays all sub-users, spread is many resellers. view_single is compared with one prepared SELECT. pgbench has as
// many clients as Bursar has connections, and all flush each commit to the same disk. pgbench speaks to PostgreSQL
// directly; our clients speak HTTP and JSON to Bursar, which checks a token and then speaks to PostgreSQL.
//
// BENCH_CONNECTIONS (64), BENCH_SUB_USERS (100000), BENCH_RESELLERS (50), BENCH_ROUNDS (5), BENCH_TURN_MS (3000)
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endpoints } from '@bursar/contract';
import { openLoad } from './load.ts';
import {
	ledgerFunctions,
	pgledger,
	readRow,
	type Script,
	type Shape,
	startPgbench,
	tbPerfBatches,
	usualTransfer,
} from './pgbench.ts';
import { processorMs } from './processor-time.ts';
import { print, printComparison, printHeader, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { randomRequests, seedResellers } from './seed.ts';
import { startBursar } from './servers.ts';
import { openPostgres } from './stores.ts';
import { compareInTurns } from './turns.ts';

const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '64').split(',').map(Number);
const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const RESELLERS = Number(process.env.BENCH_RESELLERS ?? 50);
const TURNS = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 5),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 3000),
	warmUpRounds: 1,
};

const HOT: Shape = { resellers: 1, subUsers: SUB_USERS };
const SPREAD: Shape = { resellers: RESELLERS, subUsers: Math.ceil(SUB_USERS / RESELLERS) };

const { pgledger: pgledgerFile, 'tb-perf': tbPerfFile } = parseArgs({
	options: { pgledger: { type: 'string' }, 'tb-perf': { type: 'string' } },
}).values;

/** The peers of whose SQL a file was given. `inFlight`: how many transfers a batch has. */
function peers(inFlight: number): readonly Script[] {
	return [
		...(pgledgerFile === undefined ? [] : [pgledger(readFileSync(pgledgerFile, 'utf8'))]),
		...(tbPerfFile === undefined ? [] : [tbPerfBatches(readFileSync(tbPerfFile, 'utf8'), inFlight)]),
	];
}

const give = { path: endpoints.giveBalance.path, fields: { amount_usd_cents: 1 } };
const view = { path: endpoints.viewSubUser.path, fields: {} };
const SCENES = [
	{ name: 'give_balance, hot', call: give, shape: HOT, references: [usualTransfer, ledgerFunctions] },
	{ name: 'give_balance, spread', call: give, shape: SPREAD, references: [usualTransfer, ledgerFunctions] },
	{ name: 'view_single', call: view, shape: HOT, references: [readRow] },
];

await runBenchmark(async (stops) => {
	const postgres = await openPostgres(stops);
	const store = await postgres.newStore();
	tell('filling a store...');
	const names = (prefix: string, { resellers }: Shape) =>
		Array.from({ length: resellers }, (_, number) => `${prefix}${number}`);
	const hot = await seedResellers(store, names('hot', HOT), HOT.subUsers);
	const spread = await seedResellers(store, names('spread', SPREAD), SPREAD.subUsers);
	await postgres.fill(store.BURSAR_DATABASE_URL as string, '');
	const bursar = await startBursar(store);
	stops.defer(bursar.stop);

	print(
		`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms. Hot is one reseller with ${HOT.subUsers} sub-users, spread`,
	);
	print(
		`is ${SPREAD.resellers} with ${SPREAD.subUsers} each. "us" is microseconds of processor time for each request or`,
	);
	print('transaction: of PostgreSQL, and of Bursar.\n');
	printHeader();
	for (const { name, call, shape, references } of SCENES) {
		const requests = randomRequests(call.path, shape === HOT ? hot : spread, shape.subUsers, call.fields);
		for (const connections of CONNECTIONS) {
			await using running = new AsyncDisposableStack();
			const { work, close } = await openLoad(bursar.url, requests, connections);
			running.defer(close);
			const ours = { work, processorMs: () => processorMs(bursar.pid) + postgres.processorMs() };
			const others = [];
			const scripts = call === give && shape === HOT ? [...references, ...peers(connections)] : references;
			for (const script of scripts) others.push(await startPgbench(running, postgres, script, shape, connections));
			const compared = await compareInTurns({ name: 'Bursar', copies: [ours] }, others, TURNS);
			for (const one of compared) printComparison(`${name}, ${connections} connections`, one);
		}
	}
});
