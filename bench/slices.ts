import type { LoadCase } from './load.ts';
import { type LoadSlice, type OpenLoad, openLoad } from './open-load.ts';
import { type ProcessorTime, processorMs, processorTime } from './processor-time.ts';
import { median } from './report.ts';

/** One of the servers that are compared. */
export interface Variant {
	readonly name: string;
	/** Several processes that do the same, because each start of a process has a speed of its own. */
	readonly copies: readonly Copy[];
}

interface Copy {
	readonly url: string;
	readonly load: LoadCase;
	readonly pid: number;
	/** Other processes that work for it. Their time counts as that of other threads. */
	readonly helpers?: () => readonly number[];
}

export interface Rounds {
	readonly connections: number;
	/** In each round, each copy of each variant has one slice. */
	readonly rounds: number;
	readonly sliceMs: number;
}

/** What one variant did in one round, or its medians over all rounds. Times are processor times, in microseconds. */
export interface Speed {
	readonly requestsPerSecond: number;
	readonly mainMicroseconds: number;
	readonly otherMicroseconds: number;
}

export interface Measured {
	readonly name: string;
	readonly speed: Speed;
	/** The time within which 99 of 100 answers came. */
	readonly p99Ms: number;
	/** Requests a second, to the first variant's in the same round. */
	readonly rate: Spread;
	/** Processor time of a request, to the first variant's in the same round. */
	readonly processor: Spread;
}

/** The median of ratios, and the range of eight tenths of them. */
export interface Spread {
	readonly median: number;
	readonly low: number;
	readonly high: number;
}

/** So many rounds warm up. */
const WARM_UP_ROUNDS = 20;

/** Lets all variants work in turns. The first one is the reference. */
export async function compareInSlices(variants: readonly Variant[], settings: Rounds): Promise<readonly Measured[]> {
	const { connections, rounds, sliceMs } = settings;
	const loads = await Promise.all(
		variants.map(({ copies }) =>
			Promise.all(copies.map(async (copy) => ({ copy, ...(await openLoad(copy.url, copy.load, connections)) }))),
		),
	);
	try {
		const speeds = variants.map((): Speed[] => []);
		const durationsMs = variants.map((): number[] => []);
		for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
			const inTurns = [...loads.entries()];
			// No variant is always the first.
			for (const [place, copies] of round % 2 ? inTurns : inTurns.reverse()) {
				const slices: Slice[] = [];
				for (const copy of copies) slices.push(await runSlice(copy, sliceMs));
				if (round < 0) continue;
				speeds[place]?.push(speedOf(slices));
				for (const slice of slices) for (const ms of slice.durationsMs) durationsMs[place]?.push(ms);
			}
		}
		return variants.map(({ name }, place) => ({
			name,
			p99Ms: quantile(durationsMs[place] as number[], 0.99),
			...measured(speeds[place] as Speed[], speeds[0] as Speed[]),
		}));
	} finally {
		for (const load of loads.flat()) load.close();
	}
}

type Slice = ProcessorTime & LoadSlice;

async function runSlice({ copy, run }: OpenLoad & { readonly copy: Copy }, sliceMs: number): Promise<Slice> {
	const before = usedBy(copy);
	const slice = await run(sliceMs);
	const after = usedBy(copy);
	return { ...slice, mainMs: after.mainMs - before.mainMs, otherMs: after.otherMs - before.otherMs };
}

function usedBy({ pid, helpers = () => [] }: Copy): ProcessorTime {
	const { mainMs, otherMs } = processorTime(pid);
	return { mainMs, otherMs: otherMs + sum(helpers().map(processorMs)) };
}

function speedOf(slices: readonly Slice[]): Speed {
	const requests = sum(slices.map((slice) => slice.requests));
	return {
		requestsPerSecond: requests / sum(slices.map(({ seconds }) => seconds)),
		mainMicroseconds: (sum(slices.map(({ mainMs }) => mainMs)) * 1000) / requests,
		otherMicroseconds: (sum(slices.map(({ otherMs }) => otherMs)) * 1000) / requests,
	};
}

function measured(speeds: readonly Speed[], references: readonly Speed[]): Omit<Measured, 'name' | 'p99Ms'> {
	const medianOf = (read: (speed: Speed) => number) => median(speeds.map(read));
	const spreadOf = (read: (speed: Speed) => number) =>
		spread(speeds.map((speed, round) => read(speed) / read(references[round] as Speed)));
	return {
		speed: {
			requestsPerSecond: medianOf(({ requestsPerSecond }) => requestsPerSecond),
			mainMicroseconds: medianOf(({ mainMicroseconds }) => mainMicroseconds),
			otherMicroseconds: medianOf(({ otherMicroseconds }) => otherMicroseconds),
		},
		rate: spreadOf(({ requestsPerSecond }) => requestsPerSecond),
		processor: spreadOf(({ mainMicroseconds, otherMicroseconds }) => mainMicroseconds + otherMicroseconds),
	};
}

function spread(ratios: readonly number[]): Spread {
	return { median: median(ratios), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
}

/** The value below which that part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
