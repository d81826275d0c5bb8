// A client that reports counters as fast as it can, 1,000 in a request. Each report of a counter has a higher value.
// Reads `Reports` as JSON from standard input. Prints a line when it begins, and `Reported` at the end.
import { text } from 'node:stream/consumers';
import { edgeRoutes, MAX_COUNTERS, type UsageAnswer } from '@bursar/contract/edge';
import { createEdgeCaller } from '../edge-caller.ts';

export interface Reports {
	readonly url: string;
	readonly key: string;
	/** One counter for each. Their number is a multiple of 1,000. */
	readonly usernames: readonly string[];
	readonly connections: number;
	/** The number of the first request: counters go on where the previous run ended. */
	readonly from: number;
	/** It stops after this time, or after so many requests. */
	readonly seconds?: number;
	readonly requests?: number;
}

export interface Reported {
	readonly requests: number;
	readonly seconds: number;
}

const reports = JSON.parse(await text(process.stdin)) as Reports;
const { usernames, connections, from, seconds = Number.POSITIVE_INFINITY } = reports;
const end = from + (reports.requests ?? Number.POSITIVE_INFINITY);
const groups = Math.floor(usernames.length / MAX_COUNTERS);
/** What stays the same in each reading of a counter. */
const beginnings = usernames.map((username) => `{"counter":"bench:${username}","username":"${username}","up":`);
const call = createEdgeCaller(reports.url, reports.key, connections);
process.stdout.write('begun\n');
const startedAtMs = performance.now();
let next = from;

async function reportInTurn(): Promise<void> {
	while (next < end && performance.now() - startedAtMs < seconds * 1000) {
		const { counted } = (await call(edgeRoutes.usage.path, bodyOf(next++))) as UsageAnswer;
		if (counted !== MAX_COUNTERS) throw new Error(`only ${counted} of ${MAX_COUNTERS} counters were counted`);
	}
}

/** The groups of counters take turns, so that two requests under way have no counter in common. */
function bodyOf(number: number): string {
	const first = (number % groups) * MAX_COUNTERS;
	const value = (Math.floor(number / groups) + 1) * 1_000;
	const rest = `${value},"down":${value * 9},"at":"${new Date().toISOString()}"}`;
	return `{"counters":[${beginnings.slice(first, first + MAX_COUNTERS).join(`${rest},`)}${rest}]}`;
}

await Promise.all(Array.from({ length: Math.min(connections, groups) }, reportInTurn));
const reported: Reported = { requests: next - from, seconds: (performance.now() - startedAtMs) / 1000 };
process.stdout.write(`${JSON.stringify(reported)}\n`);
