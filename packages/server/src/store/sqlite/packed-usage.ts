import type { ArrivedReport, CounterReading } from '../../domain/usage.ts';

/**
 * Usage on its way to the thread that writes. A copy between threads pays for each object, for each name in it and for
 * each number. So readings are columns, and their numbers one block: that takes a tenth of the time.
 */
export interface PackedUsage {
	readonly size: number;
	/** What is no reading, with its place. */
	readonly others: readonly (readonly [place: number, report: ArrivedReport])[];
	/** The names of edges. */
	readonly edges: readonly string[];
	readonly counters: readonly string[];
	readonly usernames: readonly string[];
	/** `NUMBERS` for each reading, and room that is not used. All of them are safe integers. */
	readonly numbers: Float64Array;
}

/** Its place, the place of its edge, the time, the bytes up and down, and 1 if it restarts. */
const NUMBERS = 6;

export function packUsage(arrived: readonly ArrivedReport[]): PackedUsage {
	const others: (readonly [number, ArrivedReport])[] = [];
	const edges: string[] = [];
	const counters: string[] = [];
	const usernames: string[] = [];
	const numbers = new Float64Array(arrived.length * NUMBERS);
	let next = 0;
	for (const [place, report] of arrived.entries()) {
		if (!('edge' in report)) {
			others.push([place, report]);
			continue;
		}
		// Readings of one edge come together.
		if (edges.at(-1) !== report.edge) edges.push(report.edge);
		counters.push(report.counter);
		usernames.push(report.username);
		numbers[next++] = place;
		numbers[next++] = edges.length - 1;
		numbers[next++] = report.atMs;
		numbers[next++] = report.bytesUp;
		numbers[next++] = report.bytesDown;
		numbers[next++] = report.restarts ? 1 : 0;
	}
	return { size: arrived.length, others, edges, counters, usernames, numbers };
}

export function unpackUsage({ size, others, edges, counters, usernames, numbers }: PackedUsage): ArrivedReport[] {
	const arrived = new Array<ArrivedReport>(size);
	for (const [place, report] of others) arrived[place] = report;
	let next = 0;
	for (const [nth, counter] of counters.entries()) {
		const place = numbers[next++] as number;
		const reading: CounterReading = {
			edge: edges[numbers[next++] as number] as string,
			counter,
			username: usernames[nth] as string,
			atMs: numbers[next++] as number,
			bytesUp: numbers[next++] as number,
			bytesDown: numbers[next++] as number,
			restarts: numbers[next++] === 1,
		};
		arrived[place] = reading;
	}
	return arrived;
}
