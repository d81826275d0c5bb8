// The edge listener, which proxy hosts ask for pairs and tell the bytes, on both engines.
//
//   npm run bench -- edge
//
// Checks are compared with bare Fastify, which checks the same schema but does no work. They come from memory, as those
// of pairs that are in use. Counters come in requests of 1,000. They are compared with plain upserts: Fastify, and a row
// for each counter, which gets the new value. Bursar also adds what is new to the usage of the account's day. A second
// table shows how long a single check takes alone, and beside such requests.
//
// BENCH_SUB_USERS (10000, a multiple of 1000), BENCH_CONNECTIONS (16,64), BENCH_ROUNDS (6), BENCH_TURN_MS (2000)
import { setTimeout } from 'node:timers/promises';
import { edgeRoutes, MAX_COUNTERS } from '@bursar/contract/edge';
import { openLoad, requestOf } from './load.ts';
import { processorMs } from './processor-time.ts';
import type { Reported, Reports } from './programs/counter-reporter.ts';
import { print, printComparison, printHeader, printRow, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { type SeededEdge, seedEdge } from './seed.ts';
import { runProgram, type Server, startBursar, startProgram } from './servers.ts';
import { quantile } from './spread.ts';
import { type Engine, openPostgres, openSqlite } from './stores.ts';
import { compareInTurns, type Turns } from './turns.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 10_000);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '16,64').split(',').map(Number);
const TURNS: Turns = {
	rounds: Number(process.env.BENCH_ROUNDS ?? 6),
	turnMs: Number(process.env.BENCH_TURN_MS ?? 2000),
	warmUpRounds: 1,
};
/** Before each turn with checks. During the turn of the other server, all pairs became too old. */
const WARM_UP_MS = 1000;
const REPORTING_CONNECTIONS = 8;
/** Between two single checks. */
const PAUSE_MS = 5;

/** One of the two servers, on which load is put. */
interface Target {
	readonly url: string;
	readonly key: string;
	processorMs(): number;
	/** How many requests with counters it has had. The counters go on from the previous turn. */
	reported: number;
}

await runBenchmark(async (stops) => {
	print(
		`${TURNS.rounds} rounds of turns of ${TURNS.turnMs} ms, ${SUB_USERS} pairs and counters. "us" is microseconds of`,
	);
	print('processor time for each check or counter, of PostgreSQL too.\n');
	printHeader();
	const bare = await startProgram('bare-fastify.ts');
	stops.defer(bare.stop);
	const rows: (readonly string[])[] = [];
	for (const engine of [openSqlite(stops), await openPostgres(stops)]) {
		tell(`filling a store on ${engine.name}...`);
		const store = await engine.newStore();
		const edge = await seedEdge(store, SUB_USERS);
		const bursar = await startBursar(store);
		stops.defer(bursar.stop);
		const ours = targetOf(bursar, edge, engine);
		// They come from memory, so they are the same on both engines.
		if (engine.name === 'SQLite') await compareChecks(ours, targetOf(bare, edge), edge);
		const upserts = await startProgram('plain-upserts.ts', await engine.newDatabase());
		stops.defer(upserts.stop);
		await compareCounters(engine.name, ours, targetOf(upserts, edge, engine), edge);
		rows.push([engine.name, ...(await checksBeside(ours, edge))]);
	}
	print('\nA single check alone, and beside requests with counters:\n');
	printRow(['engine', 'alone, 50th', '99th', 'beside, 50th', '99th']);
	print('|---|---:|---:|---:|---:|');
	for (const row of rows) printRow(row);
});

function targetOf({ url, edgeUrl, pid }: Server, { key }: SeededEdge, engine?: Engine): Target {
	const target = { url: edgeUrl || url, key, reported: 0 };
	return { ...target, processorMs: () => processorMs(pid) + (engine?.processorMs() ?? 0) };
}

async function compareChecks(ours: Target, reference: Target, { key, pairs }: SeededEdge): Promise<void> {
	const requests = pairs.map((pair) => requestOf(edgeRoutes.check.path, key, { ...pair, client: '192.0.2.7' }));
	for (const connections of CONNECTIONS) {
		await using loads = new AsyncDisposableStack();
		const open = async (name: string, { url, processorMs }: Target) => {
			const { work, close } = await openLoad(url, requests, connections);
			loads.defer(close);
			const prepare = async () => void (await work(WARM_UP_MS));
			return { name, copies: [{ work, processorMs, prepare }] };
		};
		const compared = await compareInTurns(await open('Bursar', ours), [await open('bare Fastify', reference)], TURNS);
		for (const one of compared) printComparison(`checks, ${connections} connections`, one);
	}
}

async function compareCounters(engine: string, ours: Target, reference: Target, edge: SeededEdge): Promise<void> {
	const contender = (name: string, target: Target) => {
		const work = async (ms: number) => {
			const { requests, seconds } = await report(target, edge, ms);
			return { units: requests * MAX_COUNTERS, seconds };
		};
		return { name, copies: [{ work, processorMs: target.processorMs }] };
	};
	const compared = await compareInTurns(contender('Bursar', ours), [contender('plain upserts', reference)], TURNS);
	for (const one of compared) printComparison(`counters, ${engine}`, one);
}

/** Reports counters from a process of its own. */
async function report(target: Target, { pairs }: SeededEdge, ms: number): Promise<Reported> {
	const reported = await runProgram<Reported>('counter-reporter.ts', {
		url: target.url,
		key: target.key,
		usernames: pairs.map(({ username }) => username),
		connections: REPORTING_CONNECTIONS,
		from: target.reported,
		ms,
	} satisfies Reports);
	target.reported += reported.requests;
	return reported;
}

/** Single checks one after another: the 50th and the 99th percentile, alone and beside counters. */
async function checksBeside(target: Target, edge: SeededEdge): Promise<readonly string[]> {
	const ms = TURNS.rounds * TURNS.turnMs;
	const alone = await timeChecks(target, edge, ms);
	const reporting = report(target, edge, ms);
	const beside = await timeChecks(target, edge, ms);
	await reporting;
	return [alone, beside].flatMap((times) => [0.5, 0.99].map((part) => `${quantile(times, part).toFixed(1)} ms`));
}

/** How long each check took, in milliseconds. */
async function timeChecks({ url, key }: Target, { pairs }: SeededEdge, ms: number): Promise<readonly number[]> {
	const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
	const times: number[] = [];
	const endMs = performance.now() + ms;
	for (let number = 0; performance.now() < endMs; number++) {
		const body = JSON.stringify(pairs[(number * 7_919) % pairs.length]);
		const startMs = performance.now();
		const response = await fetch(url + edgeRoutes.check.path, { method: 'POST', headers, body });
		await response.arrayBuffer();
		if (!response.ok) throw new Error(`a check was answered with ${response.status}`);
		times.push(performance.now() - startMs);
		await setTimeout(PAUSE_MS);
	}
	return times;
}
