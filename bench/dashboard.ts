// Compares the processor time that Bursar needs for a request of the API, with the dashboard in the process and without.
// The two take turns in short slices, so that noise of the machine affects both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@bursar/contract';
import { type LoadCase, loadGenerator } from './load.ts';
import { processorMs } from './processor-time.ts';
import { median, print } from './report.ts';
import { seedReseller } from './seed.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 12);
const SECONDS = 1;
const CONNECTIONS = 64;

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const generator = loadGenerator();
const variants = await Promise.all(['0', '1'].map(startVariant));

print(
	`Processor time of the service for each request, ${ROUNDS} pairs of slices of ${SECONDS} s by ${generator.name}.\n`,
);
print('| call | connections | without dashboard, us | with, us | with to without | spread of the pairs |');
print('|---|---:|---:|---:|---:|---|');
try {
	await compare('my_info', endpoints.myInfo.path);
	await compare('give_balance', endpoints.giveBalance.path, { amount_usd_cents: 1 });
} finally {
	for (const { target } of variants) await target.stop();
	rmSync(folder, { recursive: true });
}

/** Each variant has a store of its own, so that they do not wait for each other's lock. */
async function startVariant(dashboard: string) {
	const environment = {
		BURSAR_DATA_DIR: join(folder, dashboard),
		BURSAR_PORT: '0',
		BURSAR_OPS_PORT: '0',
		BURSAR_DASHBOARD: dashboard,
	};
	const reseller = await seedReseller(environment, 'bench', SUB_USERS);
	return { reseller, target: await startTarget(`BURSAR_DASHBOARD=${dashboard}`, ['bursar.ts'], environment) };
}

async function compare(name: string, path: string, body?: LoadCase['body']): Promise<void> {
	const times = variants.map((): number[] => []);
	// The first round warms up.
	for (let round = 0; round <= ROUNDS; round++) {
		const inTurns = [...variants.entries()];
		// Neither is always the first.
		for (const [place, { reseller, target }] of round % 2 ? inTurns : inTurns.reverse()) {
			const load = { path, resellers: [reseller], subUsers: SUB_USERS, ...(body && { body }) } as const;
			const microseconds = await perRequest(target, load);
			if (round > 0) times[place]?.push(microseconds);
		}
	}
	const [without = [], withIt = []] = times;
	const ratios = withIt.map((time, round) => time / (without[round] as number)).sort((a, b) => a - b);
	const spread = `${ratios[1]?.toFixed(2)} to ${ratios.at(-2)?.toFixed(2)}`;
	const cells = [median(without).toFixed(1), median(withIt).toFixed(1), median(ratios).toFixed(3), spread];
	print(`| ${[name, CONNECTIONS, ...cells].join(' | ')} |`);
}

/** Microseconds of processor time for each request. */
async function perRequest(target: TargetProcess, load: LoadCase): Promise<number> {
	const pid = target.child.pid as number;
	const beforeMs = processorMs(pid);
	const { requestsPerSecond, failures } = await generator.run(target.url, load, CONNECTIONS, SECONDS);
	if (failures > 0) throw new Error(`${target.name} answered ${failures} requests with a failure`);
	return ((processorMs(pid) - beforeMs) * 1000) / (requestsPerSecond * SECONDS);
}
