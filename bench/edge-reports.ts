import { setTimeout } from 'node:timers/promises';
import { edgeRoutes, MAX_COUNTERS } from '@bursar/contract/edge';
import { createEdgeCaller } from './edge-caller.ts';
import type { Engine } from './edge-engines.ts';
import { processorMs } from './processor-time.ts';
import { median, print } from './report.ts';
import { startReporter } from './start-reporter.ts';

/** Between two single checks. */
const PAUSE_MS = 5;

interface Rounds {
	readonly rounds: number;
	/** The length of a slice. */
	readonly seconds: number;
}

interface Slice {
	readonly countersPerSecond: number;
	/** Processor time of the service for one counter, the checks beside it included. */
	readonly microseconds: number;
	/** How long single checks took without reports, and beside them, in milliseconds. */
	readonly alone: readonly number[];
	readonly beside: readonly number[];
}

/** Measures counters a second. The engines take turns in short slices. */
export async function measureCounters(engines: readonly Engine[], { rounds, seconds }: Rounds): Promise<void> {
	print(
		`Counters a second in requests of ${MAX_COUNTERS}, median of ${rounds} slices of ${seconds} s, and single checks`,
	);
	print('without and beside them.\n');
	print(
		'| engine | counters a second | aim | processor time of each | check alone, 50th, 99th | beside, 50th, 99th, longest |',
	);
	print('|---|---:|---:|---:|---:|---:|');
	const slices = new Map<Engine, Slice[]>(engines.map((engine) => [engine, []]));
	// The first round warms up, and begins all counters.
	for (let round = 0; round <= rounds; round++) {
		for (const engine of engines) {
			const slice = await measureSlice(engine, seconds);
			if (round > 0) slices.get(engine)?.push(slice);
		}
	}
	for (const [{ name, aim }, measured] of slices) {
		const middle = (of: 'countersPerSecond' | 'microseconds') => median(measured.map((slice) => slice[of]));
		const cells = [
			middle('countersPerSecond').toFixed(0),
			aim,
			`${middle('microseconds').toFixed(1)} us`,
			percentiles(
				measured.flatMap(({ alone }) => alone),
				[0.5, 0.99],
			),
			percentiles(
				measured.flatMap(({ beside }) => beside),
				[0.5, 0.99, 1],
			),
		];
		print(`| ${[name, ...cells].join(' | ')} |`);
	}
	print('');
}

async function measureSlice(engine: Engine, seconds: number): Promise<Slice> {
	const pid = engine.service.child.pid as number;
	const alone = await timeChecks(engine, seconds);
	const reporter = startReporter(engine, { seconds });
	await reporter.begun;
	const beforeMs = processorMs(pid);
	const beside = await timeChecks(engine, seconds);
	const reported = await reporter.reported();
	const counters = reported.requests * MAX_COUNTERS;
	return {
		countersPerSecond: counters / reported.seconds,
		microseconds: ((processorMs(pid) - beforeMs) * 1000) / counters,
		alone,
		beside,
	};
}

/** Sends checks one after another, with a pause between them. Returns how long each took, in milliseconds. */
async function timeChecks({ edge, service }: Engine, seconds: number): Promise<readonly number[]> {
	const call = createEdgeCaller(service.edgeUrl as string, edge.key, 1);
	const timesMs: number[] = [];
	const endMs = performance.now() + seconds * 1000;
	for (let number = 0; performance.now() < endMs; number++) {
		const body = JSON.stringify(edge.pairs[(number * 7_919) % edge.pairs.length]);
		const startMs = performance.now();
		await call(edgeRoutes.check.path, body);
		timesMs.push(performance.now() - startMs);
		await setTimeout(PAUSE_MS);
	}
	return timesMs;
}

function percentiles(timesMs: readonly number[], parts: readonly number[]): string {
	const sorted = timesMs.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
	return parts.map((part) => `${at(part).toFixed(1)} ms`).join(', ');
}

/** Reports counters that exist again and again, and looks whether the store grows. */
export async function measureSizes(engines: readonly Engine[], reports: number): Promise<void> {
	print(`The size of the database over ${reports} reports of the same counters.\n`);
	print('| engine | counters | before | after a tenth | after a half | after all reports |');
	print('|---|---:|---:|---:|---:|---:|');
	for (const engine of engines) {
		const sizes = [await engine.sizeBytes()];
		for (const part of [0.1, 0.4, 0.5]) {
			await startReporter(engine, { requests: Math.ceil((reports * part) / MAX_COUNTERS) }).reported();
			sizes.push(await engine.sizeBytes());
		}
		const cells = sizes.map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`);
		print(`| ${[engine.name, engine.edge.pairs.length, ...cells].join(' | ')} |`);
	}
}
