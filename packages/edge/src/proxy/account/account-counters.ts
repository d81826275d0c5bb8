import { randomBytes } from 'node:crypto';
import type { CounterReporter } from '../../agent/counter-reporter.ts';
import type { AccountBytes, KnownPair } from '../../agent/pair-checker.ts';

/** The bytes of one account since its counter began. */
export interface AccountCounter {
	readonly username: string;
	/** How many connections of the account are open. */
	readonly connections: number;
	/** The bytes of all its connections, in both directions, as far as they are counted. */
	readonly passedBytes: number;
	/** When all its connections were last counted at once (monotonic milliseconds). */
	countedAtMs: number;
	/** Adds bytes of a connection. */
	add(up: number, down: number): void;
	/** Call this once for each `open`. */
	close(): void;
}

/**
 * `no_room`: no counter can be kept for this account. `too_many_of_account`: it has as many connections as an account may
 * have on this host. `connection_limit_reached`: it has as many connections as its reseller allows.
 */
export type NoCounter = 'no_room' | 'too_many_of_account' | 'connection_limit_reached';

export interface AccountCountersOptions {
	readonly reporter: Pick<CounterReporter, 'set' | 'end' | 'settledBytes' | 'sentBytes'>;
	/** How many connections an account may have. */
	readonly maxConnections: number;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

export interface AccountCounters {
	/** Opens the counter of a pair's account for a connection, or says why there is none. */
	open(pair: Pick<KnownPair, 'username' | 'maxConnections'>): AccountCounter | NoCounter;
	/** The bytes in its present counter. */
	bytesOf(username: string): AccountBytes;
	/** Ends the counters of accounts that have had no connection for long. Call this now and then. */
	endRested(): void;
}

interface Counted {
	readonly counter: string;
	readonly username: string;
	up: number;
	down: number;
	connections: number;
	countedAtMs: number;
	/** When its last connection ended (monotonic). */
	restsSinceMs: number;
}

/**
 * The service forgets a counter that is not reported for long, and would then count its bytes again. So a counter without a
 * connection for a day is not used again.
 * @bound A counter without a connection stays in use: then the account gets another one.
 */
const LONGEST_REST_MS = 86_400_000;

/**
 * One counter for each account. Its name contains the id of this start, because the next start counts from zero. The name
 * also contains a number, because an account may get another counter later.
 */
export function createAccountCounters({
	reporter,
	maxConnections,
	nowMs = () => performance.now(),
}: AccountCountersOptions): AccountCounters {
	const start = randomBytes(12).toString('base64url');
	const accounts = new Map<string, Counted>();
	let made = 0;

	function report({ counter, username, up, down }: Counted): boolean {
		return reporter.set(counter, { username, bytesUp: up, bytesDown: down });
	}

	return {
		open({ username, maxConnections: limit = Number.POSITIVE_INFINITY }) {
			let counted = accounts.get(username);
			if (!counted) {
				const counter = `p:${start}:${made++}:${username}`;
				counted = { counter, username, up: 0, down: 0, connections: 0, countedAtMs: 0, restsSinceMs: 0 };
				if (!report(counted)) return 'no_room';
				accounts.set(username, counted);
			}
			if (counted.connections >= limit) return 'connection_limit_reached';
			if (counted.connections >= maxConnections) return 'too_many_of_account';
			const account = counted;
			account.connections++;
			return {
				username,
				get connections() {
					return account.connections;
				},
				get passedBytes() {
					return account.up + account.down;
				},
				get countedAtMs() {
					return account.countedAtMs;
				},
				set countedAtMs(atMs) {
					account.countedAtMs = atMs;
				},
				add(up, down) {
					account.up += up;
					account.down += down;
					if (up > 0 || down > 0) report(account);
				},
				close() {
					account.connections--;
					account.restsSinceMs = nowMs();
				},
			};
		},
		bytesOf(username) {
			const counted = accounts.get(username);
			if (!counted) return { passed: 0, reported: 0, sent: 0 };
			const { counter, up, down } = counted;
			return { passed: up + down, reported: reporter.settledBytes(counter), sent: reporter.sentBytes(counter) };
		},
		endRested() {
			for (const [username, { counter, connections, restsSinceMs }] of accounts) {
				if (connections > 0 || nowMs() - restsSinceMs < LONGEST_REST_MS) continue;
				accounts.delete(username);
				reporter.end(counter);
			}
		},
	};
}
