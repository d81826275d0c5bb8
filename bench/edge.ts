// The edge listener. Compares checks with bare Fastify that answers the same JSON. Measures counters a second on both
// engines, with the time that a check takes beside them, and whether many reports of the same counters make the store
// larger.
import { compareChecks } from './edge-checks.ts';
import { type Stops, startOnPostgres, startOnSqlite } from './edge-engines.ts';
import { measureCounters, measureSizes } from './edge-reports.ts';

/** As many pairs are active, and as many counters grow. A multiple of 1,000. */
const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '16,64').split(',').map(Number);
/** For the size of the store. Ten million of them take minutes. */
const REPORTS = Number(process.env.BENCH_REPORTS ?? 200_000);

const stops: Stops = [];
try {
	const sqlite = await startOnSqlite(SUB_USERS, stops);
	await compareChecks(sqlite, { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS }, stops);
	const engines = [sqlite, await startOnPostgres(SUB_USERS, stops)];
	await measureCounters(engines, { rounds: ROUNDS, seconds: SECONDS });
	await measureSizes(engines, REPORTS);
} finally {
	for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}
