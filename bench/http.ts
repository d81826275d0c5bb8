// Compares requests a second of bare node:http, bare Fastify, Bursar with one commit for each request, and Bursar.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@bursar/contract';
import { type LoadCase, loadGenerator } from './load.ts';
import { median, print } from './report.ts';
import { seedReseller } from './seed.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '1,64,256').split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const generator = loadGenerator();
process.stderr.write(`filling a store with ${SUB_USERS} sub-users...\n`);
const reseller = await seedReseller({ BURSAR_DATA_DIR: folder }, 'bench', SUB_USERS);
const environment = { BURSAR_DATA_DIR: folder, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0', BURSAR_LOG_LEVEL: 'info' };

const bareNode = await startTarget('bare node:http', ['bare-node.ts']);
const bareFastify = await startTarget('bare Fastify', ['bare-fastify.ts']);
const oneCommit = await startTarget('one commit per request', ['bursar.ts', '1'], environment);
const bursar = await startTarget('Bursar', ['bursar.ts'], environment);

const common = { resellers: [reseller], subUsers: SUB_USERS } as const;
const cases: { readonly name: string; readonly load: LoadCase; readonly targets: readonly TargetProcess[] }[] = [
	{ name: 'my_info', load: { ...common, path: endpoints.myInfo.path }, targets: [bareNode, bareFastify, bursar] },
	{
		name: 'view_single',
		load: { ...common, path: endpoints.viewSubUser.path, body: {} },
		targets: [bareNode, bareFastify, bursar],
	},
	{
		name: 'give_balance',
		load: { ...common, path: endpoints.giveBalance.path, body: { amount_usd_cents: 1 } },
		targets: [bareNode, bareFastify, oneCommit, bursar],
	},
];

print(`Requests a second by ${generator.name}, median of ${ROUNDS} rounds of ${SECONDS} s, ${SUB_USERS} sub-users.\n`);
print(
	'| call | connections | bare node:http | bare Fastify | one commit per request | Bursar | to bare Fastify | to one commit |',
);
print('|---|---:|---:|---:|---:|---:|---:|---:|');
try {
	for (const { name, load, targets } of cases) {
		for (const connections of CONNECTIONS) {
			const rates = await measure(targets, load, connections);
			const rate = (target: TargetProcess) => rates.get(target);
			const cells = [bareNode, bareFastify, oneCommit, bursar].map((target) => rate(target)?.toFixed(0) ?? '');
			const ratios = [bareFastify, oneCommit].map((target) => ratio(rate(bursar), rate(target)));
			print(`| ${[name, connections, ...cells, ...ratios].join(' | ')} |`);
		}
	}
} finally {
	for (const target of [bareNode, bareFastify, oneCommit, bursar]) await target.stop();
	rmSync(folder, { recursive: true });
}

/** Runs all targets in each round, so that noise of the machine affects all of them. */
async function measure(targets: readonly TargetProcess[], load: LoadCase, connections: number) {
	const rates = new Map<TargetProcess, number[]>(targets.map((target) => [target, []]));
	for (let round = 0; round < ROUNDS; round++) {
		for (const target of targets) {
			const { requestsPerSecond, failures } = await generator.run(target.url, load, connections, SECONDS);
			if (failures > 0) throw new Error(`${target.name} answered ${failures} requests with a failure`);
			rates.get(target)?.push(requestsPerSecond);
		}
	}
	return new Map(Array.from(rates, ([target, values]) => [target, median(values)]));
}

function ratio(ours: number | undefined, reference: number | undefined): string {
	return ours === undefined || reference === undefined ? '' : (ours / reference).toFixed(2);
}
