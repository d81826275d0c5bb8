// Bursar on PostgreSQL: compares gives with pgbench, reads with and without gathering, and several processes with one.
// All share one PostgreSQL server on this machine, which flushes every commit.
import { randomBytes } from 'node:crypto';
import { endpoints } from '@bursar/contract';
import { debianPostgres } from '@bursar/testing/postgres-installation';
import { startPostgres } from '@bursar/testing/postgres-server';
import { type LoadCase, type LoadResult, loadGenerator } from './load.ts';
import { fillUsualTables, type MoneyShape, runPgbench, settle } from './pgbench.ts';
import { compareProcesses, type SharedLoad } from './postgres-processes.ts';
import { median, print } from './report.ts';
import { type SeededReseller, seedResellers } from './seed.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const RESELLERS = Number(process.env.BENCH_RESELLERS ?? 100);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '64,256').split(',').map(Number);
const SLICES = { rounds: Number(process.env.BENCH_SLICES ?? 20), sliceMs: 500 };
/** The aims are for this number of connections. pgbench always uses it. */
const AIMED_CONNECTIONS = 64;

/** First the same connections for all processes together, then the same for each. */
const SHARED_LOADS: readonly SharedLoad[] = [
	{ processes: 1, connections: AIMED_CONNECTIONS },
	{ processes: 2, connections: AIMED_CONNECTIONS },
	{ processes: 4, connections: AIMED_CONNECTIONS },
	{ processes: 2, connections: 2 * AIMED_CONNECTIONS },
	{ processes: 4, connections: 4 * AIMED_CONNECTIONS },
];

const HOT: MoneyShape = { resellers: 1, subUsers: SUB_USERS };
const SPREAD: MoneyShape = { resellers: RESELLERS, subUsers: Math.ceil(SUB_USERS / RESELLERS) };

const SETTINGS = {
	fsync: 'on',
	synchronous_commit: 'on',
	max_connections: '200',
	shared_buffers: '256MB',
	// Prevents a checkpoint during a short run.
	max_wal_size: '8GB',
	checkpoint_timeout: '30min',
};

interface Contender {
	readonly name: string;
	run(): Promise<LoadResult>;
}

interface Comparison {
	readonly name: string;
	readonly connections: number;
	readonly reference: Contender;
	readonly bursar: Contender;
	/** The least ratio that we aim for. */
	readonly aim: number;
}

/** Stops everything that was started, in reverse order. */
const stops: (() => Promise<void>)[] = [];
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		isInterrupted = true;
		// Without its servers, the current run fails soon and cleans up.
		void stopAll();
	});
}
try {
	await bench();
} catch (error) {
	if (!isInterrupted) throw error;
	process.exitCode = 130;
} finally {
	await stopAll();
}

async function stopAll(): Promise<void> {
	for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

async function bench(): Promise<void> {
	const generator = loadGenerator();
	const prepared = await prepare(generator.run);
	print(`Requests a second by ${generator.name}, median of ${ROUNDS} rounds of ${SECONDS} s. Hot is one reseller with`);
	print(`${HOT.subUsers} sub-users, spread is ${SPREAD.resellers} with ${SPREAD.subUsers} each.\n`);
	print('| call | connections | reference | its rate | Bursar | ratio | aim | cores busy with the load |');
	print('|---|---:|---|---:|---:|---:|---:|---:|');
	for (const comparison of prepared.comparisons) print(`| ${(await measure(comparison)).join(' | ')} |`);
	await printProcesses(prepared);
}

/** Starts and fills all servers and tables. */
async function prepare(load: ReturnType<typeof loadGenerator>['run']) {
	const installation = debianPostgres();
	const server = await startPostgres({ installation, settings: SETTINGS });
	stops.push(server.remove);
	process.stderr.write('filling the tables for pgbench, and a store...\n');

	const usual = async (name: string, shape: MoneyShape): Promise<Contender> => {
		const url = await server.createDatabase();
		await fillUsualTables(installation, url, shape);
		await settle(installation, url);
		const run = () => runPgbench(installation, url, shape, AIMED_CONNECTIONS, SECONDS);
		return { name, run: async () => ({ requestsPerSecond: await run(), failures: 0 }) };
	};
	const usualHot = await usual('pgbench', HOT);
	const usualSpread = await usual('pgbench', SPREAD);

	const databaseUrl = await server.createDatabase();
	const environment = {
		BURSAR_DATABASE_URL: databaseUrl,
		BURSAR_MASTER_KEY: randomBytes(32).toString('base64'),
		BURSAR_PORT: '0',
		BURSAR_OPS_PORT: '0',
		BURSAR_LOG_LEVEL: 'info',
	};
	const names = (prefix: string, { resellers }: MoneyShape) =>
		Array.from({ length: resellers }, (_, number) => `${prefix}${number}`);
	const hot = await seedResellers(environment, names('hot', HOT), HOT.subUsers);
	const spread = await seedResellers(environment, names('spread', SPREAD), SPREAD.subUsers);
	await settle(installation, databaseUrl);

	const start = async (name: string, file: string): Promise<TargetProcess> => {
		const target = await startTarget(name, [file], environment);
		stops.push(target.stop);
		return target;
	};
	const services: TargetProcess[] = [];
	for (let count = 0; count < Math.max(...SHARED_LOADS.map(({ processes }) => processes)); count++)
		services.push(await start('Bursar', 'bursar.ts'));
	const [first] = services as [TargetProcess];
	const ungathered = await start('one query per request', 'bursar-without-gathering.ts');

	const request = (path: string, resellers: readonly SeededReseller[], { subUsers }: MoneyShape, fields: object) =>
		({ path, resellers: resellers as LoadCase['resellers'], subUsers, body: fields }) as LoadCase;
	const give = endpoints.giveBalance.path;
	const giveHot = request(give, hot, HOT, { amount_usd_cents: 1 });
	const giveSpread = request(give, spread, SPREAD, { amount_usd_cents: 1 });
	const view = request(endpoints.viewSubUser.path, hot, HOT, {});

	const under = (loadCase: LoadCase, connections: number, { name, url }: TargetProcess): Contender => ({
		name,
		run: () => load(url, loadCase, connections, SECONDS),
	});
	const connections = AIMED_CONNECTIONS;
	const comparisons: Comparison[] = [
		...CONNECTIONS.flatMap((connections) => [
			{
				name: 'give_balance, hot',
				connections,
				reference: usualHot,
				bursar: under(giveHot, connections, first),
				aim: 14,
			},
			{
				name: 'give_balance, spread',
				connections,
				reference: usualSpread,
				bursar: under(giveSpread, connections, first),
				aim: 2,
			},
		]),
		{
			name: 'view_single',
			connections,
			reference: under(view, connections, ungathered),
			bursar: under(view, connections, first),
			aim: 2.5,
		},
	];
	const shared = { 'give_balance, spread': giveSpread, view_single: view };
	return { server, services, comparisons, shared };
}

async function printProcesses({ server, services, shared }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
	print(`\nMicroseconds of processor time for each request, by processes that share the connections: medians of`);
	print(`${SLICES.rounds} slices of ${SLICES.sliceMs} ms.\n`);
	print(
		'| call | processes | connections | in the services | in PostgreSQL | requests for each core of the services |',
	);
	print('|---|---:|---:|---:|---:|---:|');
	const running = services.map(({ url, child }) => ({ url, pid: child.pid as number }));
	for (const [call, load] of Object.entries(shared)) {
		for (const result of await compareProcesses(server, running, SHARED_LOADS, { ...SLICES, load })) {
			const { processes, connections, serviceMicroseconds, postgresMicroseconds } = result;
			const times = [serviceMicroseconds.toFixed(1), postgresMicroseconds.toFixed(1)];
			print(`| ${[call, processes, connections, ...times, (1e6 / serviceMicroseconds).toFixed(0)].join(' | ')} |`);
		}
	}
}

/** Runs both in each round, so that noise of the machine affects both. */
async function measure({ name, connections, reference, bursar, aim }: Comparison) {
	const references: number[] = [];
	const ours: number[] = [];
	const cores: (number | undefined)[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		references.push((await runOnce(reference)).requestsPerSecond);
		const { requestsPerSecond, generatorCores } = await runOnce(bursar);
		ours.push(requestsPerSecond);
		cores.push(generatorCores);
	}
	const ratio = (median(ours) / median(references)).toFixed(2);
	const rates = [reference.name, median(references).toFixed(0), median(ours).toFixed(0)];
	const known = cores.filter((one) => one !== undefined);
	const busy = known.length > 0 ? median(known).toFixed(2) : 'unknown';
	return [name, connections, ...rates, ratio, connections === AIMED_CONNECTIONS ? aim : '', busy];
}

async function runOnce(contender: Contender): Promise<LoadResult> {
	const result = await contender.run();
	if (result.failures > 0) throw new Error(`${contender.name} answered ${result.failures} requests with a failure`);
	return result;
}
