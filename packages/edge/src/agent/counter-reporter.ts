import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EdgeClient } from './edge-client.ts';
import { createKeptCounters, type KeptCounters, type KeptStats } from './kept-counters.ts';
import type { Reading } from './reading.ts';
import { createReadingSender, type SenderStats } from './reading-sender.ts';
import type { ReadingSpool } from './reading-spool.ts';

/**
 * Keeps the present values of counters. Sends each change until the service has acknowledged it. While the service is away,
 * nothing is lost. If this process ends without `stop`, only the spool keeps what was not acknowledged.
 */
export interface CounterReporter extends Pick<KeptCounters, 'set' | 'end' | 'settledBytes' | 'sentBytes'> {
	/**
	 * Sends everything that changed, except what waits for clocks to agree. Resolves once it was tried and `then` is done.
	 * Sends nothing more before that, so what `then` asks the service, it answers with the bytes that it has acknowledged.
	 * Rejects only if `then` does.
	 */
	flush(then?: () => Promise<void>): Promise<void>;
	/**
	 * Sends the last values, for at most this long. A later call may shorten it. Resolves to the number of counters whose
	 * last value was neither acknowledged nor left in the spool.
	 */
	stop(limitMs: number): Promise<number>;
	readonly stats: ReporterStats;
}

export interface ReporterStats extends KeptStats, SenderStats {}

export interface CounterReporterOptions {
	readonly client: Pick<EdgeClient, 'report'>;
	readonly logger: Logger;
	/** How often changes are sent. */
	readonly intervalMs?: number;
	/** Called before each interval's changes are sent. */
	readonly collect?: () => void;
	/**
	 * Where readings are kept that wait for longer than a second. Readings left there by an earlier process are sent first.
	 */
	readonly spool?: Pick<ReadingSpool, 'left' | 'write'> | undefined;
	/** The most counters that are kept. */
	readonly maxCounters?: number;
	/** Unix milliseconds. */
	readonly clockMs?: () => number;
	/** Monotonic. */
	readonly nowMs?: () => number;
}

const INTERVAL_MS = 1_000;
/**
 * @bound Counters that are kept: accounts without a counter are refused. Each counter has one value for each UTC day,
 * at most 120.
 */
const MAX_KEPT = 200_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;
/** @bound A reading waits before it is written to the spool: then it is written. */
const SPOOL_AFTER_MS = 1_000;
/** @bound The share of the time in which the spool is written: it is written more rarely. */
const SPOOL_SHARE = 0.1;

/** Sends one request at a time. Begins at once. */
export function createCounterReporter(options: CounterReporterOptions): CounterReporter {
	const { client, logger, intervalMs = INTERVAL_MS, maxCounters = MAX_KEPT, collect, spool } = options;
	const { clockMs = Date.now, nowMs = () => performance.now() } = options;
	const counters = createKeptCounters({ maxCounters, clockMs, nowMs });
	const sender = createReadingSender({ counters, client, logger, clockMs, nowMs });
	let fault: string | undefined;
	let flushing: Promise<void> | undefined;
	let isStopped = false;
	let stopping: Promise<number> | undefined;
	let giveUpAtMs = Number.POSITIVE_INFINITY;
	let isSpoolBroken = false;
	let spoolAgainAtMs = 0;
	for (const { counter, ...value } of spool?.left ?? []) counters.set(counter, value);
	for (const { counter } of spool?.left ?? []) counters.end(counter);
	let timer = setTimeout(tick, 0);

	async function tick(): Promise<void> {
		try {
			collect?.();
			await flush();
			await keepLongWaiting();
			fault = undefined;
		} catch (err) {
			fault = 'a report failed';
			logger.error({ err }, fault);
		} finally {
			if (!isStopped) timer = setTimeout(tick, intervalMs);
		}
	}

	async function flush(then?: () => Promise<void>): Promise<void> {
		// A request that is under way may have older values than the caller wants to send.
		while (flushing) await flushing;
		const done = sender
			.sendDue()
			.then(then)
			.finally(() => {
				flushing = undefined;
			});
		flushing = done.catch(() => {});
		await done;
	}

	/** A reading that is acknowledged soon is not written to disk. */
	async function keepLongWaiting(): Promise<void> {
		const beganAtMs = performance.now();
		if (isStopped || beganAtMs < spoolAgainAtMs) return;
		if (counters.stats.waitingMs > SPOOL_AFTER_MS) await keep(counters.allWaiting());
		else if (sender.stats.away === undefined) await keep([]);
		spoolAgainAtMs = beganAtMs + (performance.now() - beganAtMs) / SPOOL_SHARE;
	}

	/** Resolves to `false` if the readings are not on disk. */
	async function keep(readings: readonly Reading[]): Promise<boolean> {
		if (!spool) return false;
		try {
			await spool.write(readings);
			isSpoolBroken = false;
		} catch (err) {
			if (!isSpoolBroken) logger.error({ err }, 'readings that wait for the service cannot be written to the spool');
			isSpoolBroken = true;
		}
		return !isSpoolBroken;
	}

	function stop(limitMs: number): Promise<number> {
		giveUpAtMs = Math.min(giveUpAtMs, performance.now() + limitMs);
		stopping ??= sendLast();
		return stopping;
	}

	async function sendLast(): Promise<number> {
		isStopped = true;
		clearTimeout(timer);
		counters.releaseAll();
		const done = new AbortController();
		const late = givenUp(done.signal);
		let isKept = false;
		let retryMs = FIRST_RETRY_MS;
		while (counters.stats.waiting > 0 && performance.now() < giveUpAtMs) {
			await Promise.race([flush(), late]);
			if (counters.stats.waiting === 0) break;
			// The service may be away for long.
			if (!isKept) isKept = await keep(counters.allWaiting());
			await Promise.race([pause(retryMs), late]);
			retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
		}
		done.abort();
		const { waiting } = counters.stats;
		if (!(await keep(counters.allWaiting()))) return waiting;
		if (waiting > 0)
			logger.warn({ counters: waiting }, 'readings that the service has not acknowledged wait in the spool');
		return 0;
	}

	/** Resolves when there is no more time to try. A later call of `stop` may bring that forward. */
	async function givenUp(done: AbortSignal): Promise<void> {
		while (!done.aborted && performance.now() < giveUpAtMs) await pause(FIRST_RETRY_MS, undefined, { ref: false });
	}

	return {
		set: counters.set,
		end: counters.end,
		settledBytes: counters.settledBytes,
		sentBytes: counters.sentBytes,
		flush,
		stop,
		get stats() {
			const { away, ...sent } = sender.stats;
			return { ...counters.stats, ...sent, away: fault ?? away };
		},
	};
}
