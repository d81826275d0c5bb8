// Compares bare Fastify, bare node:http, Bursar with one commit for each request, and Bursar. They work in turns, in
// short slices. BENCH_BEFORE names another checkout of Bursar, which is compared too.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@bursar/contract';
import type { LoadCase } from './load.ts';
import { print } from './report.ts';
import { seedReseller } from './seed.ts';
import { compareInSlices, type Measured, type Spread, type Variant } from './slices.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

const SUB_USERS = Number(process.env.BENCH_SUB_USERS ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const SLICE_MS = Number(process.env.BENCH_SLICE_MS ?? 60);
const COPIES = Number(process.env.BENCH_COPIES ?? 2);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '1,64,256').split(',').map(Number);
const CALLS = (process.env.BENCH_CALLS ?? 'my_info,view_single,give_balance').split(',');

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const targets: TargetProcess[] = [];
try {
	process.stderr.write(`filling a store with ${SUB_USERS} sub-users...\n`);
	const seeded = join(folder, 'seeded');
	const reseller = await seedReseller({ BURSAR_DATA_DIR: seeded }, 'bench', SUB_USERS);
	await compareCalls(await startAll(seeded), { resellers: [reseller], subUsers: SUB_USERS });
} finally {
	for (const target of targets) await target.stop();
	rmSync(folder, { recursive: true });
}

interface Contender {
	readonly name: string;
	readonly copies: readonly TargetProcess[];
	/** The only calls that it is compared in. All, if absent. */
	readonly only?: readonly string[];
}

async function startAll(seeded: string): Promise<readonly Contender[]> {
	/** Each copy has a store of its own, because two writers would wait for each other. */
	async function startCopies(name: string, args: readonly [string, ...string[]], checkout?: string) {
		const copies: TargetProcess[] = [];
		for (let copy = 0; copy < COPIES; copy++) {
			const store = join(folder, `${name}-${copy}`);
			if (args[0] === 'bursar.ts') cpSync(seeded, store, { recursive: true });
			const environment = { BURSAR_DATA_DIR: store, BURSAR_PORT: '0', BURSAR_OPS_PORT: '0', BURSAR_LOG_LEVEL: 'info' };
			const target = await startTarget(name, args, environment, { checkout });
			targets.push(target);
			copies.push(target);
		}
		return { name, copies };
	}
	const before = process.env.BENCH_BEFORE;
	return [
		await startCopies('bare Fastify', ['bare-fastify.ts']),
		await startCopies('bare node:http', ['bare-node.ts']),
		{ ...(await startCopies('one commit for each request', ['bursar.ts', '1'])), only: ['give_balance'] },
		...(before ? [await startCopies('before', ['bursar.ts'], before)] : []),
		await startCopies('Bursar', ['bursar.ts']),
	];
}

async function compareCalls(contenders: readonly Contender[], resellers: Pick<LoadCase, 'resellers' | 'subUsers'>) {
	const calls: Readonly<Record<string, LoadCase>> = {
		my_info: { ...resellers, path: endpoints.myInfo.path },
		view_single: { ...resellers, path: endpoints.viewSubUser.path, body: {} },
		give_balance: { ...resellers, path: endpoints.giveBalance.path, body: { amount_usd_cents: 1 } },
	};
	print(
		`${ROUNDS} rounds of slices of ${SLICE_MS} ms, ${COPIES} copies of each server, ${SUB_USERS} sub-users. Ratios are`,
	);
	print('to bare Fastify in the same round: the median, and the range of eight tenths of the rounds. Times are');
	print('microseconds of processor time for each request, on the thread of the event loop and on all others.\n');
	print('| call | connections | server | requests a second | ratio | range | event loop | others | ratio | range |');
	print('|---|---:|---|---:|---:|---|---:|---:|---:|---|');
	for (const [call, load] of Object.entries(calls).filter(([call]) => CALLS.includes(call))) {
		for (const connections of CONNECTIONS) {
			const variants = contenders
				.filter(({ only }) => !only || only.includes(call))
				.map(({ name, copies }): Variant => {
					return { name, copies: copies.map(({ url, child }) => ({ url, load, pid: child.pid as number })) };
				});
			const measured = await compareInSlices(variants, { connections, rounds: ROUNDS, sliceMs: SLICE_MS });
			for (const one of measured) print(`| ${[call, connections, ...cellsOf(one)].join(' | ')} |`);
		}
	}
}

function cellsOf({ name, speed, rate, processor }: Measured): readonly string[] {
	const { requestsPerSecond, mainMicroseconds, otherMicroseconds } = speed;
	const range = ({ low, high }: Spread) => `${low.toFixed(2)} to ${high.toFixed(2)}`;
	return [
		...[name, requestsPerSecond.toFixed(0), rate.median.toFixed(2), range(rate)],
		...[mainMicroseconds.toFixed(1), otherMicroseconds.toFixed(1), processor.median.toFixed(2), range(processor)],
	];
}
