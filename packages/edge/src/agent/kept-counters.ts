import { COUNTER_NAME_MAX_LENGTH } from '@bursar/contract/edge';
import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';
import { dayOf, type Reading } from './reading.ts';

export interface CounterValue {
	/** Normalized. The same at each call for a counter. */
	readonly username: string;
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** When it had this value, in Unix milliseconds. Default: now. */
	readonly atMs?: number;
}

/** Counters, with the readings that the service has not acknowledged. */
export interface KeptCounters {
	/**
	 * Sets the present value of a counter. A smaller value than before is ignored. Returns `false`, and keeps nothing, if a
	 * new counter has no room. Then its bytes must not flow, or must be set again later.
	 */
	set(counter: string, value: CounterValue): boolean;
	/** The counter will not grow any more. It is forgotten once its last value is acknowledged. */
	end(counter: string): void;
	/** How many bytes of this counter, in both directions, the service has counted or will never count. */
	settledBytes(counter: string): number;
	/** How many bytes the service may have counted: these, and those of readings that it has not acknowledged yet. */
	sentBytes(counter: string): number;
	/** The counters with readings to send now, the first to send first. */
	due(): string[];
	/** Takes the first waiting reading of each counter, to send it now. The next one goes with the next request. */
	send(counters: readonly string[]): readonly Reading[];
	/** All waiting readings, those of each counter in their order. */
	allWaiting(): readonly Reading[];
	/** The service has counted the reading, or never will. */
	settle(reading: Reading): void;
	/** The reading is sent again, after a pause that grows each time. */
	holdBack(reading: Reading): void;
	/** All readings that are held back are due now. */
	releaseAll(): void;
	readonly stats: KeptStats;
}

export interface KeptStats {
	readonly kept: number;
	/** How many counters have a value that was not acknowledged. */
	readonly waiting: number;
	/** How long the oldest of those values has been waiting, in milliseconds. */
	readonly waitingMs: number;
}

export interface KeptCountersOptions {
	/** The most counters that are kept. */
	readonly maxCounters: number;
	/** Unix milliseconds. */
	readonly clockMs: () => number;
	/** Monotonic. */
	readonly nowMs: () => number;
}

interface Counter {
	/** The highest value so far. */
	last: Reading;
	/** Not acknowledged, the oldest first: the last one of each UTC day, so that each day gets its own bytes. */
	waiting: Reading[];
	settledBytes: number;
	sentBytes: number;
	/** How long it was held back the last time; 0 if it was not. */
	pauseMs: number;
	/** Monotonic. */
	heldUntilMs: number;
	isEnded: boolean;
}

const NAME = new RegExp(`^[!-~]{1,${COUNTER_NAME_MAX_LENGTH}}$`);
/** Each pause is twice as long as the previous one, up to the last. */
const FIRST_PAUSE_MS = 1_000;
/**
 * @bound The pause before a reading that was refused because clocks disagree is sent again: further pauses are as
 * long.
 */
const LAST_PAUSE_MS = 30_000;

export function createKeptCounters({ maxCounters, clockMs, nowMs }: KeptCountersOptions): KeptCounters {
	const counters = new Map<string, Counter>();
	/** The names of counters with waiting readings, the first to send first, and since when they wait (monotonic). */
	const waiting = new Map<string, number>();

	return {
		set(name, { atMs, ...value }) {
			const reading = { counter: name, ...value, atMs: atMs ?? clockMs(), isOurTime: atMs === undefined };
			const counter = counters.get(name);
			if (!counter) {
				if (!NAME.test(name)) throw new Error('the name of a counter has 1 to 128 visible ASCII characters');
				if (counters.size >= maxCounters) return false;
				const fresh = {
					last: reading,
					waiting: [reading],
					settledBytes: 0,
					sentBytes: 0,
					pauseMs: 0,
					heldUntilMs: 0,
					isEnded: false,
				};
				counters.set(name, fresh);
			} else if (!grow(counter, reading)) return true;
			if (!waiting.has(name)) waiting.set(name, nowMs());
			return true;
		},
		end(name) {
			const counter = counters.get(name);
			if (!counter) return;
			counter.isEnded = true;
			if (counter.waiting.length === 0) counters.delete(name);
		},
		settledBytes: (name) => counters.get(name)?.settledBytes ?? 0,
		sentBytes: (name) => counters.get(name)?.sentBytes ?? 0,
		due() {
			const atMs = nowMs();
			return [...waiting.keys().filter((name) => (counters.get(name)?.heldUntilMs ?? 0) <= atMs)];
		},
		send(names) {
			const sent: Reading[] = [];
			for (const name of names) {
				const counter = counters.get(name);
				const reading = counter?.waiting[0];
				if (!counter || !reading) continue;
				counter.sentBytes = Math.max(counter.sentBytes, reading.bytesUp + reading.bytesDown);
				sent.push(reading);
			}
			return sent;
		},
		allWaiting: () => [...waiting.keys()].flatMap((name) => counters.get(name)?.waiting ?? []),
		settle(reading) {
			const { counter: name } = reading;
			const counter = counters.get(name);
			waiting.delete(name);
			if (!counter) return;
			counter.pauseMs = 0;
			counter.settledBytes = Math.max(counter.settledBytes, reading.bytesUp + reading.bytesDown);
			// A newer reading of the same day may have replaced it meanwhile. That one stays.
			counter.waiting = counter.waiting.filter((one) => one !== reading);
			if (counter.waiting.length > 0) waiting.set(name, nowMs());
			else if (counter.isEnded) counters.delete(name);
		},
		holdBack({ counter: name }) {
			const counter = counters.get(name);
			if (!counter) return;
			counter.pauseMs = Math.min(counter.pauseMs * 2 || FIRST_PAUSE_MS, LAST_PAUSE_MS);
			counter.heldUntilMs = nowMs() + counter.pauseMs;
		},
		releaseAll() {
			for (const counter of counters.values()) counter.heldUntilMs = 0;
		},
		get stats() {
			const [kept, atMs] = [counters.size, nowMs()];
			const waitingMs = waiting.values().reduce((longest, sinceMs) => Math.max(longest, atMs - sinceMs), 0);
			return { kept, waiting: waiting.size, waitingMs };
		},
	};
}

/** Whether the counter is higher now. It takes the higher number of each direction. */
function grow(counter: Counter, { bytesUp, bytesDown, ...rest }: Reading): boolean {
	const { last, waiting } = counter;
	if (rest.username !== last.username) throw new Error('a counter counts the bytes of one account');
	if (bytesUp <= last.bytesUp && bytesDown <= last.bytesDown) return false;
	counter.last = {
		...rest,
		bytesUp: Math.max(bytesUp, last.bytesUp),
		bytesDown: Math.max(bytesDown, last.bytesDown),
	};
	const newest = waiting.at(-1);
	if (newest && dayOf(newest) === dayOf(counter.last)) waiting.pop();
	waiting.push(counter.last);
	// Older days would be refused. Their bytes count on the next day that is kept.
	if (waiting.length > USAGE_ACCEPTED_DAYS) waiting.shift();
	return true;
}
