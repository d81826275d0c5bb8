import type { LoadCase } from './load.ts';
import { openLoad } from './open-load.ts';
import { type ProcessorTime, processorTime } from './processor-time.ts';
import { median } from './report.ts';

/** One of the servers that are compared. */
export interface Variant {
	readonly name: string;
	/** Several processes that do the same, because each start of a process has a speed of its own. */
	readonly copies: readonly { readonly url: string; readonly load: LoadCase; readonly pids: readonly number[] }[];
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
			Promise.all(copies.map(async ({ url, load, pids }) => ({ pids, ...(await openLoad(url, load, connections)) }))),
		),
	);
	try {
		const speeds = variants.map((): Speed[] => []);
		for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
			const inTurns = [...loads.entries()];
			// No variant is always the first.
			for (const [place, copies] of round % 2 ? inTurns : inTurns.reverse()) {
				const slices: Slice[] = [];
				for (const copy of copies) slices.push(await runSlice(copy, sliceMs));
				if (round >= 0) speeds[place]?.push(speedOf(slices));
			}
		}
		return variants.map(({ name }, place) => measured(name, speeds[place] as Speed[], speeds[0] as Speed[]));
	} finally {
		for (const load of loads.flat()) load.close();
	}
}

interface Slice extends ProcessorTime {
	readonly requests: number;
	readonly seconds: number;
}

type Copy = Awaited<ReturnType<typeof openLoad>> & { readonly pids: readonly number[] };

async function runSlice({ pids, run }: Copy, sliceMs: number): Promise<Slice> {
	const before = pids.map(processorTime);
	const { requests, seconds } = await run(sliceMs);
	const after = pids.map(processorTime);
	const used = (part: keyof ProcessorTime) =>
		sum(after.map((time, place) => time[part] - (before[place]?.[part] ?? 0)));
	return { requests, seconds, mainMs: used('mainMs'), otherMs: used('otherMs') };
}

function speedOf(slices: readonly Slice[]): Speed {
	const requests = sum(slices.map((slice) => slice.requests));
	return {
		requestsPerSecond: requests / sum(slices.map(({ seconds }) => seconds)),
		mainMicroseconds: (sum(slices.map(({ mainMs }) => mainMs)) * 1000) / requests,
		otherMicroseconds: (sum(slices.map(({ otherMs }) => otherMs)) * 1000) / requests,
	};
}

function measured(name: string, speeds: readonly Speed[], references: readonly Speed[]): Measured {
	const medianOf = (read: (speed: Speed) => number) => median(speeds.map(read));
	const spreadOf = (read: (speed: Speed) => number) =>
		spread(speeds.map((speed, round) => read(speed) / read(references[round] as Speed)));
	return {
		name,
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
	const sorted = ratios.toSorted((a, b) => a - b);
	const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
	return { median: median(ratios), low: at(0.1), high: at(0.9) };
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
