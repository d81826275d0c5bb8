import { COUNTER_NAME_MAX_LENGTH, type CounterReading, MAX_COUNTERS, type UsageAnswer } from '@bursar/contract/edge';
import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';
import type { Logger } from 'pino';
import type { EdgeClient } from './edge-client.ts';

export interface CounterValue {
	/** Normalized. The same at each call for a counter. */
	readonly username: string;
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** When it had this value, in Unix milliseconds; now, if absent. */
	readonly atMs?: number;
}

/**
 * Keeps the present values of counters, and sends what changed until the service has acknowledged it. Nothing is lost
 * while the service is away. If this process ends without `stop`, what was not acknowledged is lost.
 */
export interface CounterReporter {
	/**
	 * The present value of a counter. A smaller value than before is ignored. Returns `false`, and keeps nothing, if the
	 * counter is new and there is no room for it: then its bytes must not flow, or be told again later.
	 */
	set(counter: string, value: CounterValue): boolean;
	/** The counter will not grow any more. It is forgotten after its last value was acknowledged. */
	end(counter: string): void;
	/**
	 * Sends everything that changed, except what waits for clocks to agree. Resolves once it was tried. Never rejects.
	 */
	flush(): Promise<void>;
	/** Sends the last values, for at most this long. Resolves to the number of counters that were not acknowledged. */
	stop(limitMs: number): Promise<number>;
	readonly stats: ReporterStats;
}

export interface ReporterStats {
	readonly kept: number;
	/** Counters with a value that was not acknowledged. */
	readonly waiting: number;
	/** How long the oldest of those values has been waiting, in milliseconds. */
	readonly waitingMs: number;
	/** Readings that the service has counted or known. */
	readonly acknowledged: number;
	/** Refused readings, by reason. Those that may be good when a clock was corrected are sent again, each time later. */
	readonly refused: Readonly<Record<string, number>>;
	/** Why the service could not be told the last time; `undefined` if it took the report, which may be an empty one. */
	readonly away: string | undefined;
}

export interface CounterReporterOptions {
	readonly client: Pick<EdgeClient, 'report'>;
	readonly logger: Logger;
	/** How often changes are sent. */
	readonly intervalMs?: number;
	/** Called before each interval's changes are sent. */
	readonly collect?: () => void;
	/** The most counters that are kept. */
	readonly maxCounters?: number;
	/** Unix milliseconds. */
	readonly clockMs?: () => number;
	/** Monotonic. */
	readonly nowMs?: () => number;
}

interface Reading {
	readonly bytesUp: number;
	readonly bytesDown: number;
	readonly atMs: number;
	/** Whether the time is that of our clock, which may have been wrong. */
	readonly isOurTime: boolean;
}

interface Counter {
	readonly username: string;
	/** The highest value so far. */
	last: Reading;
	/** Not acknowledged, the oldest first: the last one of each UTC day, so that each day gets its own bytes. */
	waiting: Reading[];
	/** How long it was held back the last time because clocks disagree; 0 if they agree. */
	pauseMs: number;
	/** It is not sent before (monotonic). */
	heldUntilMs: number;
	isEnded: boolean;
}

interface Sent {
	readonly name: string;
	readonly reading: Reading;
}

const INTERVAL_MS = 1_000;
const MAX_KEPT = 200_000;
const DAY_MS = 86_400_000;
const NAME = new RegExp(`^[!-~]{1,${COUNTER_NAME_MAX_LENGTH}}$`);
/** The clock of this machine is ahead of the service's. */
const AHEAD = 'timestamp_ahead';
/** If the reading is not old by our clock, that one is far behind the service's. */
const TOO_OLD = 'timestamp_too_old';
/** A reading on whose time clocks disagree is sent again after the first pause, then after twice as long, up to the last. */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;
const RETRY_MS = 50;
/** If there is nothing to report for this long, an empty report shows that this edge lives and its key is good. */
const HEARTBEAT_MS = 10_000;
const TELL_AGAIN_MS = 10_000;

/** Sends at most 1,000 readings in a request, and one request at a time. Begins at once. */
export function createCounterReporter(options: CounterReporterOptions): CounterReporter {
	const { client, logger, intervalMs = INTERVAL_MS, maxCounters = MAX_KEPT, collect } = options;
	const { clockMs = Date.now, nowMs = () => performance.now() } = options;
	const counters = new Map<string, Counter>();
	/** Names of counters with waiting readings, the first to send first, and since when they wait (monotonic). */
	const waiting = new Map<string, number>();
	const refused: Record<string, number> = {};
	let acknowledged = 0;
	let away: string | undefined = 'it was not asked yet';
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let toldOfRefusalsAtMs = Number.NEGATIVE_INFINITY;
	let flushing: Promise<void> | undefined;
	let isStopped = false;
	let timer = setTimeout(tick, 0);

	async function tick(): Promise<void> {
		try {
			collect?.();
			await flush();
		} catch (err) {
			logger.error({ err }, 'a report failed');
			away = 'a report failed';
		} finally {
			if (!isStopped) timer = setTimeout(tick, intervalMs);
		}
	}

	async function flush(): Promise<void> {
		// What is being sent may be older than what this call is about.
		while (flushing) await flushing;
		flushing = sendAll().finally(() => {
			flushing = undefined;
		});
		await flushing;
	}

	/** Everything that waits now, and is not held back, is tried once. */
	async function sendAll(): Promise<void> {
		const names = [...waiting.keys().filter(isDue)];
		const isHeartbeatDue = away !== undefined || nowMs() - askedAtMs >= HEARTBEAT_MS;
		if (names.length === 0 && !isHeartbeatDue) return;
		do {
			askedAtMs = nowMs();
			const sent = readingsOf(names.splice(0, MAX_COUNTERS));
			const result = await client.report(sent.map((one) => wireForm(one)));
			tellOfService(result.ok ? undefined : `${result.code} (${result.message})`);
			if (!result.ok) return;
			acknowledge(sent, result.value);
		} while (names.length > 0);
	}

	function isDue(name: string): boolean {
		return nowMs() >= (counters.get(name)?.heldUntilMs ?? 0);
	}

	/** The first waiting reading of each counter: the next one goes with the next request. */
	function readingsOf(names: readonly string[]): readonly Sent[] {
		return names.flatMap((name) => {
			const reading = counters.get(name)?.waiting[0];
			return reading ? [{ name, reading }] : [];
		});
	}

	function wireForm({ name, reading }: Sent): CounterReading {
		const { bytesUp, bytesDown, atMs, isOurTime } = reading;
		const username = counters.get(name)?.username ?? '';
		// Our clock may have been ahead or far behind, and corrected since. Then the bytes count now.
		const wasBehind = isOurTime && isOld(reading);
		const at = new Date(wasBehind ? clockMs() : Math.min(atMs, clockMs())).toISOString();
		return { counter: name, username, up: bytesUp, down: bytesDown, at };
	}

	/** Whether the time is so long ago that the service does not count it. */
	function isOld({ atMs }: Reading): boolean {
		return atMs < clockMs() - USAGE_ACCEPTED_DAYS * DAY_MS;
	}

	/** Whether the reading may be good when the clock of this machine, or that of the service, was corrected. */
	function isSentAgain(reading: Reading, reason: string | undefined): boolean {
		return reason === AHEAD || (reason === TOO_OLD && !isOld(reading));
	}

	function acknowledge(sent: readonly Sent[], answer: UsageAnswer): void {
		const reasons = new Map(answer.refused.map(({ place, reason }) => [place, reason]));
		for (const [place, { name, reading }] of sent.entries()) {
			const reason = reasons.get(place);
			if (reason === undefined) acknowledged++;
			else refused[reason] = (refused[reason] ?? 0) + 1;
			settle(name, reading, isSentAgain(reading, reason));
		}
		if (reasons.size > 0) tellOfRefusals(reasons, sent);
	}

	function tellOfRefusals(reasons: ReadonlyMap<number, string>, sent: readonly Sent[]): void {
		if (nowMs() - toldOfRefusalsAtMs < TELL_AGAIN_MS) return;
		toldOfRefusalsAtMs = nowMs();
		const [[place, reason] = [0, '']] = reasons;
		const counter = sent[place]?.name;
		logger.error({ readings: reasons.size, counter, reason }, 'the service refused readings, this one among them');
	}

	/** Forgets the reading, unless it is sent again. A counter that still waits goes to the end of the line. */
	function settle(name: string, reading: Reading, isKept: boolean): void {
		const counter = counters.get(name);
		const sinceMs = isKept ? waiting.get(name) : undefined;
		waiting.delete(name);
		if (!counter) return;
		// A newer reading of the same day may have taken its place meanwhile. That one stays.
		if (!isKept) counter.waiting = counter.waiting.filter((one) => one !== reading);
		counter.pauseMs = isKept ? Math.min(counter.pauseMs * 2 || FIRST_PAUSE_MS, LAST_PAUSE_MS) : 0;
		counter.heldUntilMs = nowMs() + counter.pauseMs;
		if (counter.waiting.length > 0) waiting.set(name, sinceMs ?? nowMs());
		else if (counter.isEnded) counters.delete(name);
	}

	function tellOfService(reason: string | undefined): void {
		if (reason !== undefined && reason !== away) logger.warn({ reason }, 'the service does not take reports');
		if (reason === undefined && away !== undefined) logger.info('the service takes reports');
		away = reason;
	}

	function grow(counter: Counter, reading: Reading): void {
		const newest = counter.waiting.at(-1);
		if (newest && dayOf(newest) === dayOf(reading)) counter.waiting.pop();
		counter.waiting.push(reading);
		// Older days would be refused. Their bytes count on the next day that is kept.
		if (counter.waiting.length > USAGE_ACCEPTED_DAYS) counter.waiting.shift();
		counter.last = reading;
	}

	return {
		set(name, { username, bytesUp, bytesDown, atMs: givenMs }) {
			const time = { atMs: givenMs ?? clockMs(), isOurTime: givenMs === undefined };
			const counter = counters.get(name);
			if (!counter) {
				if (!NAME.test(name)) throw new Error('the name of a counter has 1 to 128 visible ASCII characters');
				if (counters.size >= maxCounters) return false;
				const reading = { bytesUp, bytesDown, ...time };
				counters.set(name, { username, last: reading, waiting: [reading], pauseMs: 0, heldUntilMs: 0, isEnded: false });
			} else {
				if (counter.username !== username) throw new Error('a counter counts the bytes of one account');
				const { last } = counter;
				if (bytesUp <= last.bytesUp && bytesDown <= last.bytesDown) return true;
				grow(counter, {
					bytesUp: Math.max(bytesUp, last.bytesUp),
					bytesDown: Math.max(bytesDown, last.bytesDown),
					...time,
				});
			}
			if (!waiting.has(name)) waiting.set(name, nowMs());
			return true;
		},
		end(name) {
			const counter = counters.get(name);
			if (!counter) return;
			counter.isEnded = true;
			if (counter.waiting.length === 0) counters.delete(name);
		},
		flush,
		async stop(limitMs) {
			isStopped = true;
			clearTimeout(timer);
			for (const counter of counters.values()) counter.heldUntilMs = 0;
			const giveUpAtMs = performance.now() + limitMs;
			const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
			while (waiting.size > 0 && performance.now() < giveUpAtMs) {
				await Promise.race([flush(), late]);
				if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
			return waiting.size;
		},
		get stats() {
			const atMs = nowMs();
			return {
				kept: counters.size,
				waiting: waiting.size,
				waitingMs: waiting.values().reduce((longest, sinceMs) => Math.max(longest, atMs - sinceMs), 0),
				acknowledged,
				refused,
				away,
			};
		},
	};
}

function dayOf({ atMs }: Reading): number {
	return Math.floor(atMs / DAY_MS);
}
