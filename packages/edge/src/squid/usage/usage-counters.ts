import type { FinishedRequest } from './access-log-line.ts';

/**
 * A request that took at least this long has a counter of its own. All shorter ones of a log, an account and a UTC day
 * share one. So the service keeps few counters, and the counter of a line depends only on the line.
 */
const OWN_COUNTER_FROM_MS = 3_000;
/**
 * Open requests are reported from this age on. Then they have a counter of their own, even if the clock is set back by a
 * second.
 */
export const REPORTED_FROM_AGE_MS = 4_000;

/** The value that a counter has. */
export interface CounterNow {
	readonly counter: string;
	readonly username: string;
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** When it had this value, in Unix milliseconds. */
	readonly atMs: number;
}

/** The counters of one log. They depend only on its lines, so a second reading gives the same values. */
export interface LogCounters {
	/** The counter that this request changes, with its new value. */
	add(request: FinishedRequest): CounterNow;
}

/** `log` names the log. The name stays the same when the log is rotated. */
export function createLogCounters(log: string): LogCounters {
	const sums = new Map<string, CounterNow>();
	return {
		add(request) {
			const { username, peer, begin, tookMs, atMs, bytesUp, bytesDown } = request;
			if (tookMs >= OWN_COUNTER_FROM_MS) {
				return { counter: ownCounter(peer, begin), username, bytesUp, bytesDown, atMs };
			}
			const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
			const counter = `s:${log}:${day}:${username}`;
			const sum = sums.get(counter);
			const now = {
				counter,
				username,
				bytesUp: (sum?.bytesUp ?? 0) + bytesUp,
				bytesDown: (sum?.bytesDown ?? 0) + bytesDown,
				atMs: Math.max(sum?.atMs ?? 0, atMs),
			};
			sums.set(counter, now);
			return now;
		},
	};
}

/** The counter of one request: no connection begins two long requests in the same millisecond. */
export function ownCounter(peer: string, begin: string): string {
	return `s:${peer}@${begin}`;
}
