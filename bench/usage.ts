// `bursar usage import`, compared with the least that could do it: a loop that reads the same file and inserts the same
// rows into SQLite, with a unique index and no other rule.
//
//   npm run bench -- usage
//
// Each turn is a process with a file of its own store: of reports that are all new, and of the same reports again, none of
// which may count twice. The time includes the start of the process. At last, an import for a reseller with a price is
// compared with one for a reseller without.
//
// BENCH_REPORTS (500000), BENCH_SUB_USERS (10000), BENCH_ROUNDS (3)
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { endedChildrenMs } from './processor-time.ts';
import type { Inserts } from './programs/bare-inserts.ts';
import { print, printComparison, printHeader, tell } from './report.ts';
import { runBenchmark } from './run.ts';
import { seedResellers, subUserName } from './seed.ts';
import { runBursar, runProgram } from './servers.ts';
import { openSqlite, type Store } from './stores.ts';
import { type Contender, compareInTurns } from './turns.ts';

const REPORTS = Number(process.env.BENCH_REPORTS ?? 500_000);
const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 10_000);
/** A turn ends when all reports are counted. */
const TURNS = { rounds: Number(process.env.BENCH_ROUNDS ?? 3), turnMs: 0, warmUpRounds: 0 };
const RESELLER = 'bench';
const SOURCES = 20;
const DAYS = 90;
const DAY_MS = 86_400_000;

await runBenchmark(async (stops) => {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-usage-'));
	stops.defer(async () => rmSync(folder, { recursive: true }));
	const file = join(folder, 'reports.ndjson');
	const engine = openSqlite(stops);
	const empty = await engine.newStore();
	tell('filling a store, and writing a file of reports...');
	await seedResellers(empty, [RESELLER], SUB_USERS);
	writeReports(file);
	const filled = await engine.copyOf(empty);
	await runBursar(filled, ['usage', 'import', file]);
	const metered = await engine.copyOf(empty);
	await chargeForPast(metered);

	const bare = contender('bare inserts', () => {
		const database = join(mkdtempSync(join(folder, 'bare-')), 'bare.db');
		return runProgram<number>('bare-inserts.ts', { file, database } satisfies Inserts);
	});
	const importInto = (store: Store, name: string, key: 'counted' | 'repeated') => {
		let copy: Store;
		const prepare = async () => {
			copy = await engine.copyOf(store);
		};
		return contender(name, async () => (await runBursar(copy, ['usage', 'import', file]))[key], prepare);
	};
	print(
		`${TURNS.rounds} rounds. ${REPORTS} reports of ${SUB_USERS} sub-users over ${DAYS} days, in order of time. "us" is`,
	);
	print('microseconds of processor time for each report.\n');
	printHeader();
	const ours = {
		'import, all new': importInto(empty, 'Bursar', 'counted'),
		'import, all repeats': importInto(filled, 'Bursar', 'repeated'),
	};
	for (const [what, import_] of Object.entries(ours)) {
		for (const one of await compareInTurns(import_, [bare], TURNS)) printComparison(what, one);
	}
	const paid = importInto(metered, 'Bursar', 'counted');
	const free = importInto(empty, 'without a price', 'counted');
	for (const one of await compareInTurns(paid, [free], TURNS)) printComparison('import, with a price', one);
});

/** Sets a price, and when it began: what was used before a price is never charged. */
async function chargeForPast(store: Store): Promise<void> {
	await runBursar(store, ['reseller', 'price', RESELLER, '3.50']);
	const database = new Database(join(store.BURSAR_DATA_DIR as string, 'bursar.db'));
	database.prepare('UPDATE prices SET metered_since_ms = 0').run();
	database.close();
}

/** Each turn is a process that ends. It returns how many reports it took in. */
function contender(name: string, run: () => Promise<number>, prepare = async () => {}): Contender {
	async function work() {
		const startedAtMs = performance.now();
		const units = await run();
		if (units !== REPORTS) throw new Error(`${name} took in ${units} of ${REPORTS} reports`);
		return { units, seconds: (performance.now() - startedAtMs) / 1000 };
	}
	return { name, copies: [{ work, prepare, processorMs: () => endedChildrenMs(process.pid) }] };
}

/** Hosts report in order of time. */
function writeReports(file: string): void {
	const descriptor = openSync(file, 'w');
	const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
	const random = (below: number) => Math.floor(Math.random() * below);
	let text = '';
	for (let number = 0; number < REPORTS; number++) {
		const report = {
			source: `proxy-${random(SOURCES)}`,
			id: `${random(2 ** 52).toString(36)}-${number}`,
			username: subUserName(RESELLER, random(SUB_USERS)),
			timestamp: new Date(untilMs - Math.ceil((1 - number / REPORTS) * (DAYS - 1) * DAY_MS)).toISOString(),
			up: random(1e8),
			down: random(1e9),
		};
		text += `${JSON.stringify(report)}\n`;
		if (text.length < 1 << 20 && number < REPORTS - 1) continue;
		writeSync(descriptor, text);
		text = '';
	}
	closeSync(descriptor);
}
