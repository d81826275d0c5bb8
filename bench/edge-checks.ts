import { edgeRoutes } from '@bursar/contract/edge';
import type { Engine, Stops } from './edge-engines.ts';
import { loadGenerator } from './load.ts';
import { processorMs } from './processor-time.ts';
import { median, print } from './report.ts';
import { startTarget, type TargetProcess } from './target-process.ts';

/**
 * Runs before each slice, in seconds. While the other target had its turn, every pair became too old. The aim is about
 * checks from memory, of pairs that stay in use.
 */
const WARM_UP_SECONDS = 1;

interface Rounds {
	readonly rounds: number;
	/** The length of a slice. */
	readonly seconds: number;
	readonly connections: readonly number[];
}

/** Compares checks with bare Fastify. Both take turns in short slices, so that noise of the machine affects both. */
export async function compareChecks(
	{ edge, service }: Engine,
	{ rounds, seconds, connections: allConnections }: Rounds,
	stops: Stops,
): Promise<void> {
	const generator = loadGenerator();
	const bare = await startTarget('bare Fastify', ['bare-fastify.ts']);
	stops.push(() => bare.stop());
	const bodies = edge.pairs.map((pair) => JSON.stringify({ ...pair, client: '192.0.2.7' }));
	const load = {
		path: edgeRoutes.check.path,
		resellers: [{ username: '', token: edge.key }],
		subUsers: edge.pairs.length,
		bodies,
	} as const;

	async function measure(target: TargetProcess, connections: number) {
		const pid = target.child.pid as number;
		const url = target.edgeUrl ?? target.url;
		await generator.run(url, load, connections, WARM_UP_SECONDS);
		const beforeMs = processorMs(pid);
		const { requestsPerSecond, failures } = await generator.run(url, load, connections, seconds);
		if (failures > 0) throw new Error(`${target.name} answered ${failures} checks with a failure`);
		return {
			rate: requestsPerSecond,
			microseconds: ((processorMs(pid) - beforeMs) * 1000) / (requestsPerSecond * seconds),
		};
	}

	print(
		`Checks a second by ${generator.name}, ${edge.pairs.length} pairs, median of ${rounds} pairs of slices of ${seconds} s,`,
	);
	print('and the processor time of each check. The aim is 0.8 of bare Fastify.\n');
	print('| connections | bare Fastify | Bursar | to bare Fastify | bare, us | Bursar, us | spread of the ratios |');
	print('|---:|---:|---:|---:|---:|---:|---|');
	for (const connections of allConnections) {
		const slices = { bare: [] as Slice[], bursar: [] as Slice[] };
		// The first round is for the compilers.
		for (let round = 0; round <= rounds; round++) {
			const inTurns = [['bare', bare] as const, ['bursar', service] as const];
			// Neither is always the first.
			for (const [name, target] of round % 2 ? inTurns : inTurns.reverse()) {
				const slice = await measure(target, connections);
				if (round > 0) slices[name].push(slice);
			}
		}
		print(`| ${[connections, ...checkCells(slices)].join(' | ')} |`);
	}
	print('');
}

interface Slice {
	readonly rate: number;
	/** Processor time of one check. */
	readonly microseconds: number;
}

function checkCells({ bare, bursar }: Readonly<Record<'bare' | 'bursar', readonly Slice[]>>): readonly string[] {
	const rateOf = (slices: readonly Slice[]) => median(slices.map(({ rate }) => rate)).toFixed(0);
	const timeOf = (slices: readonly Slice[]) => median(slices.map(({ microseconds }) => microseconds)).toFixed(1);
	const ratios = bursar.map(({ rate }, round) => rate / (bare[round] as Slice).rate).sort((a, b) => a - b);
	const spread = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`;
	return [rateOf(bare), rateOf(bursar), median(ratios).toFixed(2), timeOf(bare), timeOf(bursar), spread];
}
