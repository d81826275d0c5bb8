import { setTimeout } from 'node:timers/promises';
import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';
import type { Logger } from 'pino';
import type { CounterReporter } from '../../agent/counter-reporter.ts';
import type { ConnectionCutter } from '../cutting/connection-cutter.ts';
import type { ActiveRequest } from './active-requests.ts';
import type { LogFollower } from './log-follower.ts';
import { createOpenRequests } from './open-requests.ts';
import type { CounterNow } from './usage-counters.ts';

export interface SquidUsageParts {
	readonly follower: Pick<LogFollower, 'readNew'>;
	readonly fetchActive: () => Promise<readonly ActiveRequest[]>;
	readonly reporter: Pick<CounterReporter, 'set' | 'end' | 'flush'>;
	readonly cutter: Pick<ConnectionCutter, 'cut' | 'forget'> | undefined;
	readonly logger: Logger;
	readonly readIntervalMs?: number;
	readonly askIntervalMs?: number;
}

export interface SquidUsage {
	/** Why bytes are not counted now; `undefined` if they are. */
	problem(): string | undefined;
	/** Reads the rest of the log, then ends. */
	stop(): Promise<void>;
}

const READ_MS = 500;
const ASK_MS = 2_000;
/**
 * The service refuses older readings.
 * @bound The age of a line of the log that is read: older ones are left out.
 */
const MAX_AGE_MS = USAGE_ACCEPTED_DAYS * 86_400_000;
const NO_ROOM_MS = 200;

/** Counts the bytes of finished requests from the log, and those of open ones from Squid's manager. */
export function startSquidUsage(parts: SquidUsageParts): SquidUsage {
	const { follower, fetchActive, reporter, cutter, logger, readIntervalMs = READ_MS, askIntervalMs = ASK_MS } = parts;
	const openRequests = createOpenRequests();
	const problems = new Map<string, string>();
	const stopping = new AbortController();
	let openCounters = new Set<string>();

	/** Waits while the reporter has no room. The log keeps the rest. */
	async function set({ counter, ...value }: CounterNow): Promise<void> {
		while (!reporter.set(counter, value)) {
			await reporter.flush();
			if (stopping.signal.aborted) return;
			await setTimeout(NO_ROOM_MS);
		}
	}

	async function takeChanged(changed: ReadonlyMap<string, CounterNow>): Promise<void> {
		const oldestMs = Date.now() - MAX_AGE_MS;
		for (const now of changed.values()) {
			if (now.atMs < oldestMs) continue;
			await set(now);
			// If the count is higher later, it is logged again.
			reporter.end(now.counter);
		}
	}

	async function readLog(): Promise<void> {
		await follower.readNew(takeChanged);
	}

	async function askManager(): Promise<void> {
		const requests = await fetchActive().catch((cause) => {
			// Open connections are not known any more, so they must not be reported again.
			cutter?.forget();
			throw cause;
		});
		const counters = openRequests.counters(requests, Date.now());
		// A reading without room is sent the next time, or when the request has ended.
		for (const { counter, ...value } of counters) reporter.set(counter, value);
		const open = new Set(counters.map(({ counter }) => counter));
		for (const counter of openCounters.difference(open)) reporter.end(counter);
		openCounters = open;
		await cutter?.cut(requests);
	}

	async function attempt(what: string, work: () => Promise<void>): Promise<void> {
		const before = problems.get(what);
		try {
			await work();
			problems.delete(what);
			if (before !== undefined) logger.info(`${what} works again`);
		} catch (cause) {
			const { message } = cause as Error;
			problems.set(what, message);
			if (before !== message) logger.error({ problem: message }, `${what} fails`);
		}
	}

	async function repeat(what: string, work: () => Promise<void>, everyMs: number): Promise<void> {
		while (!stopping.signal.aborted) {
			await attempt(what, work);
			await setTimeout(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
		}
	}

	const running = [
		repeat('reading the access log', readLog, readIntervalMs),
		repeat("asking Squid's manager", askManager, askIntervalMs),
	];
	return {
		problem() {
			const [first] = problems;
			return first && `${first[0]} fails: ${first[1]}`;
		},
		async stop() {
			stopping.abort();
			await Promise.all(running);
			await attempt('reading the access log', readLog);
		},
	};
}
