// The cost of size: the same calls with few and with many sub-users and movements, on both engines. Each store has one
// reseller. It fills about 5 GB, and takes about twenty minutes; BENCH_SUB_USERS and BENCH_MOVEMENTS name smaller sizes.
import { endpoints } from '@bursar/contract';
import { readConfig } from '../packages/server/src/config.ts';
import { openStore } from '../packages/server/src/engine.ts';
import { businessHistory } from './business-history.ts';
import { type StoreEngine, startPostgres, startSqlite } from './filled-stores.ts';
import { median, print } from './report.ts';
import { type SeededReseller, seedReseller, subUserName } from './seed.ts';
import { compareInSlices, quantile } from './slices.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = (process.env.BENCH_SUB_USERS ?? '1000,100000,2000000').split(',').map(Number);
const MOVEMENTS = Number(process.env.BENCH_MOVEMENTS ?? 10_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const SLICE_MS = 60;
const CONNECTIONS = 64;
const RESELLER = 'bench';
const PAGES = 500;
/** As many as `view_all` reads at once. */
const PAGE_SIZE = 100;

interface Size {
	readonly subUsers: number;
	/** Besides the fees of the sub-users. */
	readonly movements: number;
}

const SIZES: readonly Size[] = [
	...SUB_USERS.map((subUsers) => ({ subUsers, movements: 0 })),
	{ subUsers: SUB_USERS[0] as number, movements: MOVEMENTS },
];

interface SizedStore extends Size {
	readonly reseller: SeededReseller;
	readonly environment: Readonly<Record<string, string>>;
}

print(
	`${CONNECTIONS} connections, ${ROUNDS} rounds of slices of ${SLICE_MS} ms. Microseconds of processor time for each request,`,
);
print(
	'of the service and of PostgreSQL; ratios to the smallest size in the same round, and the range of eight tenths.',
);
print(
	`A page is ${PAGE_SIZE} sub-users of \`view_all\`, from ${PAGES} random places: its time, not its processor time.\n`,
);
print('| engine | call | sub-users | movements | us | ratio | range | p99, ms |');
print('|---|---|---:|---:|---:|---:|---|---:|');
for (const start of [startSqlite, startPostgres]) {
	const engine = await start();
	try {
		const stores: SizedStore[] = [];
		for (const size of SIZES) stores.push(await createStore(engine, size));
		await compareCalls(engine, stores);
		await comparePages(engine, stores);
	} finally {
		await engine.end();
	}
}

async function createStore(engine: StoreEngine, { subUsers, movements }: Size): Promise<SizedStore> {
	process.stderr.write(`filling ${engine.name} with ${subUsers} sub-users and ${movements} movements...\n`);
	const { environment, fill } = await engine.createStore();
	const reseller = await seedReseller(environment, RESELLER, subUsers);
	const history = { resellers: [RESELLER], subUsersEach: subUsers, movements, usageDays: 1, nowMs: Date.now() };
	await fill(movements === 0 ? [] : businessHistory(history));
	return { subUsers, movements, reseller, environment };
}

async function compareCalls(engine: StoreEngine, stores: readonly SizedStore[]): Promise<void> {
	const targets: TargetProcess[] = [];
	try {
		for (const { environment } of stores) {
			const ports = { BURSAR_PORT: '0', BURSAR_OPS_PORT: '0' };
			targets.push(await startTarget(engine.name, ['bursar.ts'], { ...environment, ...ports }));
		}
		const calls = {
			give_balance: { path: endpoints.giveBalance.path, body: { amount_usd_cents: 1 } },
			view_single: { path: endpoints.viewSubUser.path, body: {} },
		};
		for (const [call, request] of Object.entries(calls)) {
			const variants = stores.map(({ reseller, subUsers }, place) => {
				const { url, child } = targets[place] as TargetProcess;
				const load = { resellers: [reseller], subUsers, ...request } as const;
				return { name: call, copies: [{ url, load, pid: child.pid as number, helpers: engine.processes }] };
			});
			const settings = { connections: CONNECTIONS, rounds: ROUNDS, sliceMs: SLICE_MS };
			for (const [place, { speed, processor, p99Ms }] of (await compareInSlices(variants, settings)).entries()) {
				const { median: ratio, low, high } = processor;
				const microseconds = (speed.mainMicroseconds + speed.otherMicroseconds).toFixed(1);
				const range = `${low.toFixed(2)} to ${high.toFixed(2)}`;
				printRow(engine, stores[place] as Size, [call, microseconds, ratio.toFixed(2), range, p99Ms.toFixed(1)]);
			}
		}
	} finally {
		for (const target of targets) await target.stop();
	}
}

/** The list is read page by page. Each size has its turn for every page. */
async function comparePages(engine: StoreEngine, sizes: readonly SizedStore[]): Promise<void> {
	const opened = await Promise.all(sizes.map(({ environment }) => openStore(readConfig(environment))));
	try {
		const timesMs = sizes.map((): number[] => []);
		for (let page = -PAGES / 10; page < PAGES; page++) {
			for (const [place, store] of opened.entries()) {
				const last = subUserName(RESELLER, Math.floor(Math.random() * ((sizes[place] as Size).subUsers - PAGE_SIZE)));
				const startMs = performance.now();
				await store.listSubUsers(RESELLER, last, PAGE_SIZE);
				if (page >= 0) timesMs[place]?.push(performance.now() - startMs);
			}
		}
		const [smallest = []] = timesMs;
		for (const [place, times] of timesMs.entries()) {
			const ratios = times.map((ms, page) => ms / (smallest[page] as number));
			const range = `${quantile(ratios, 0.1).toFixed(2)} to ${quantile(ratios, 0.9).toFixed(2)}`;
			const cells = [(median(times) * 1000).toFixed(0), median(ratios).toFixed(2), range];
			printRow(engine, sizes[place] as Size, ['a page', ...cells, quantile(times, 0.99).toFixed(1)]);
		}
	} finally {
		for (const store of opened) await store.close();
	}
}

function printRow({ name }: StoreEngine, { subUsers, movements }: Size, [call, ...cells]: readonly string[]): void {
	print(`| ${[name, call, subUsers, movements, ...cells].join(' | ')} |`);
}
