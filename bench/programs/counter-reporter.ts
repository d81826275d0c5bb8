// A client that reports counters as fast as it can, 1,000 in a request. Each report of a counter has a higher value.
// Reads `Reports` as JSON from standard input, and prints `Reported`.
import { Agent, request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { edgeRoutes, MAX_COUNTERS, type UsageAnswer } from '@bursar/contract/edge';

export interface Reports {
	readonly url: string;
	readonly key: string;
	/** One counter for each. Their number is a multiple of 1,000. */
	readonly usernames: readonly string[];
	readonly connections: number;
	/** The number of the first request: counters go on where the previous run ended. */
	readonly from: number;
	readonly ms: number;
}

export interface Reported {
	readonly requests: number;
	readonly seconds: number;
}

const { url, key, usernames, connections, from, ms } = JSON.parse(await text(process.stdin)) as Reports;
const groups = Math.floor(usernames.length / MAX_COUNTERS);
/** What stays the same in each reading of a counter. */
const beginnings = usernames.map((username) => `{"counter":"bench:${username}","username":"${username}","up":`);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const startedAtMs = performance.now();
let next = from;

// The groups of counters take turns, so that no two requests under way have a counter in common.
await Promise.all(Array.from({ length: Math.min(connections, groups) }, reportInTurn));
const reported: Reported = { requests: next - from, seconds: (performance.now() - startedAtMs) / 1000 };
process.stdout.write(`${JSON.stringify(reported)}\n`);
agent.destroy();

async function reportInTurn(): Promise<void> {
	while (performance.now() < startedAtMs + ms) {
		const { counted } = await post(bodyOf(next++));
		if (counted !== MAX_COUNTERS) throw new Error(`only ${counted} of ${MAX_COUNTERS} counters were counted`);
	}
}

function bodyOf(number: number): string {
	const first = (number % groups) * MAX_COUNTERS;
	const value = (Math.floor(number / groups) + 1) * 1_000;
	const rest = `${value},"down":${value * 9},"at":"${new Date().toISOString()}"}`;
	return `{"counters":[${beginnings.slice(first, first + MAX_COUNTERS).join(`${rest},`)}${rest}]}`;
}

function post(body: string): Promise<UsageAnswer> {
	const headers = {
		authorization: `Bearer ${key}`,
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	};
	const { promise, resolve, reject } = Promise.withResolvers<UsageAnswer>();
	const sent = request(url + edgeRoutes.usage.path, { method: 'POST', agent, headers }, (response) => {
		json(response).then((answer) => {
			if (response.statusCode === 200) resolve(answer as UsageAnswer);
			else reject(new Error(`counters were answered with ${response.statusCode}: ${JSON.stringify(answer)}`));
		}, reject);
	});
	sent.on('error', reject);
	sent.end(body);
	return promise;
}
