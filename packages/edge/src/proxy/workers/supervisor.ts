import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { newProcessName } from './process-name.ts';
import type { WorkerEnding, WorkerProcess } from './worker-process.ts';

/**
 * Keeps a number of workers running. A reload starts a new generation of them. When all of them are ready, the previous
 * generation drains: it accepts no new connections, and its open ones go on.
 */
export interface Supervisor {
	/** Where the first workers listen. */
	readonly url: string;
	readonly stats: SupervisorStats;
	/** All workers that run, of every generation. */
	running(): readonly WorkerProcess[];
	/** Why the newest generation should get no requests now; `undefined` if it is ready. */
	unreadyBecause(): Promise<string | undefined>;
	/** Reloads soon. If the new workers cannot start, the log says why, and the old ones go on. */
	reload(): void;
	/** Resolves within 12 seconds, when all have ended, to whether each of them has kept all bytes. */
	stop(): Promise<boolean>;
}

interface SupervisorStats {
	/** Running workers: those of the newest generation, and those that drain. */
	readonly workers: number;
	readonly draining: number;
	/** How many workers have failed. */
	readonly failures: number;
}

export interface SupervisorOptions {
	readonly count: number;
	readonly logger: Logger;
	/** How long connections may go on after a reload. */
	readonly drainMs: number;
	/** Starts a worker under this name. `taken` are the names of all others. */
	readonly start: (name: string, taken: ReadonlySet<string>) => Promise<WorkerProcess>;
	readonly onEnded?: (worker: WorkerProcess, ending: WorkerEnding) => void;
	/** Monotonic milliseconds. */
	readonly nowMs?: () => number;
}

/**
 * A worker that ends gets a successor with the same name. So the service knows which open connections have ended with it.
 */
interface Slot {
	readonly name: string;
	worker: WorkerProcess | undefined;
	/** How many workers ended in a row, each soon after its start. */
	quickEndings: number;
}

interface Generation {
	readonly slots: readonly Slot[];
	/** Whether its workers get successors. */
	isKept: boolean;
}

/** If a worker ran for this long, its start was not the cause of its end. */
const QUICK_MS = 60_000;
/** @bound The pause before a successor of a worker that ends again and again: further pauses are as long. */
const LONGEST_PAUSE_MS = 30_000;
/** The pause before a worker that ended in good order gets a successor. */
const STOPPED_MS = 1_000;
/**
 * @bound The old workers accept connections until the new ones reach the service: then the new ones accept all the
 * same.
 */
const READY_MS = 5_000;
const LOOK_MS = 100;
/**
 * Workers end within ten seconds.
 * @bound Workers end: then they are killed.
 */
const STOP_LIMIT_MS = 11_000;
/** A worker hangs if it says nothing between this many looks in a row. */
const WATCH_MS = 10_000;
/**
 * @bound Looks in a row, one each 10 s, in which a worker says nothing: then it is killed, unless the primary process
 * itself is late.
 */
const MAX_MISSED = 3;
/** If a look is late by more than this, the machine is too busy to tell which worker hangs. */
const LATE_MS = 1_000;

/** Rejects with the error of the first worker that cannot start. */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
	const { count, logger, drainMs, start, onEnded, nowMs = () => performance.now() } = options;
	const generations = new Set<Generation>();
	const missed = new WeakMap<WorkerProcess, number>();
	/** Workers that may have bytes to lose. */
	const ready = new WeakSet<WorkerProcess>();
	let failures = 0;
	let isStopping = false;
	let isAllKept = true;
	let reloading: Promise<void> | undefined;
	let isReloadDue = false;

	const slots = () => [...generations].flatMap((generation) => generation.slots);
	const workersOf = ({ slots }: Generation) => slots.flatMap(({ worker }) => worker ?? []);
	const running = () => [...generations].flatMap(workersOf);

	/** Resolves once the process exists. */
	async function launch(generation: Generation, slot: Slot): Promise<WorkerProcess> {
		const taken = new Set(slots().map(({ name }) => name));
		const worker = await start(slot.name, taken);
		slot.worker = worker;
		// Meanwhile, all workers were stopped, or another worker of the reload has failed.
		if (isStopping || !generations.has(generation)) worker.stop();
		const startedAtMs = performance.now();
		void worker.ended.then((ending) => {
			slot.worker = undefined;
			onEnded?.(worker, ending);
			if (generation.isKept) {
				tellOfEnding(worker, ending);
				const isQuick = performance.now() - startedAtMs < QUICK_MS;
				slot.quickEndings = isQuick ? slot.quickEndings + 1 : 1;
				// If something stops this worker in good order, all may be about to stop. So the successor waits.
				void replace(generation, slot, ending.code === 0 ? STOPPED_MS : 0);
			} else if (ending.code !== 0 && ready.has(worker)) isAllKept = false;
			if (!generation.isKept && workersOf(generation).length === 0) generations.delete(generation);
		});
		return worker;
	}

	async function untilReady(worker: WorkerProcess): Promise<string> {
		try {
			const url = await worker.ready;
			ready.add(worker);
			logger.info({ worker: worker.pid }, 'a worker is ready');
			return url;
		} catch (cause) {
			worker.kill();
			throw cause;
		}
	}

	function tellOfEnding({ pid }: WorkerProcess, { code, signal }: WorkerEnding): void {
		if (code !== 0) failures++;
		logger.error({ worker: pid, code, signal }, 'a worker has ended, and gets a successor');
	}

	/** If its process ends at its start, it gets a successor like others. */
	async function replace(generation: Generation, slot: Slot, leastMs: number): Promise<void> {
		const pauseMs = slot.quickEndings === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 500 * 2 ** slot.quickEndings);
		await pause(Math.max(leastMs, pauseMs), undefined, { ref: false });
		if (!generation.isKept) return;
		let worker: WorkerProcess | undefined;
		try {
			worker = await launch(generation, slot);
			await untilReady(worker);
		} catch (cause) {
			logger.error({ reason: (cause as Error).message }, 'a worker cannot start');
			slot.quickEndings++;
			if (!worker) void replace(generation, slot, 0);
		}
	}

	async function startGeneration(): Promise<{ readonly generation: Generation; readonly url: string }> {
		const generation: Generation = {
			slots: Array.from({ length: count }, () => ({ name: newProcessName(), worker: undefined, quickEndings: 0 })),
			isKept: false,
		};
		generations.add(generation);
		try {
			const urls = await Promise.all(generation.slots.map(async (slot) => untilReady(await launch(generation, slot))));
			// One of them may have ended meanwhile.
			if (workersOf(generation).length < count) throw new Error('a worker has ended at its start');
			generation.isKept = true;
			return { generation, url: urls[0] as string };
		} catch (cause) {
			await endGeneration(generation);
			throw cause;
		}
	}

	/** Ends workers that have done nothing yet, or whose time to drain is over. */
	async function endGeneration(generation: Generation): Promise<void> {
		generation.isKept = false;
		const workers = workersOf(generation);
		for (const worker of workers) worker.stop();
		const ended = Promise.all(workers.map((worker) => worker.ended));
		const late = setTimeout(() => {
			for (const worker of workers) worker.kill();
		}, STOP_LIMIT_MS);
		await ended;
		clearTimeout(late);
		generations.delete(generation);
	}

	async function unreadyBecause(generation: Generation): Promise<string | undefined> {
		const workers = workersOf(generation);
		if (workers.length < count) return 'a worker has ended';
		const answers = await Promise.all(workers.map((worker) => worker.ask('readiness')));
		const reason = answers.find((answer) => answer !== null);
		return answers.includes(undefined) ? 'a worker does not answer' : (reason ?? undefined);
	}

	async function reloadOnce(): Promise<void> {
		const old = current;
		logger.info('reloading');
		let next: Generation;
		try {
			next = (await startGeneration()).generation;
		} catch (cause) {
			const { message } = cause as Error;
			return logger.error({ reason: message }, 'the new workers cannot start, so the old ones go on');
		}
		const giveUpAtMs = performance.now() + READY_MS;
		while (performance.now() < giveUpAtMs && (await unreadyBecause(next)) !== undefined) await pause(LOOK_MS);
		current = next;
		for (const generation of generations) {
			if (generation !== old && generation !== next) void endGeneration(generation);
		}
		old.isKept = false;
		for (const worker of workersOf(old)) worker.drain(drainMs);
		if (workersOf(old).length === 0) generations.delete(old);
		logger.info({ workers: count }, 'reloaded');
	}

	function reload(): void {
		isReloadDue = true;
		reloading ??= (async () => {
			while (isReloadDue && !isStopping) {
				isReloadDue = false;
				await reloadOnce();
			}
			reloading = undefined;
		})();
	}

	let lookedAtMs = nowMs();

	/** A worker whose event loop hangs serves no client. One that only waits for a processor answers late. */
	function watch(): void {
		const beforeMs = lookedAtMs;
		lookedAtMs = nowMs();
		const isLate = lookedAtMs - beforeMs > WATCH_MS + LATE_MS;
		for (const worker of running()) {
			const isSilent = worker.heardAtMs < beforeMs && !isLate;
			const times = isSilent ? (missed.get(worker) ?? 0) + 1 : 0;
			missed.set(worker, times);
			void worker.ask('readiness');
			if (times < MAX_MISSED) continue;
			logger.error({ worker: worker.pid }, 'a worker does not answer, and is killed');
			worker.kill();
		}
	}

	const first = await startGeneration();
	let current = first.generation;
	const watching = setInterval(watch, WATCH_MS);

	return {
		url: first.url,
		get stats() {
			const workers = workersOf(current).length;
			return { workers, draining: running().length - workers, failures };
		},
		running,
		unreadyBecause: async () => (isStopping ? 'stopping' : unreadyBecause(current)),
		reload,
		async stop() {
			isStopping = true;
			clearInterval(watching);
			isAllKept = true;
			await Promise.all([...generations].map(endGeneration));
			await reloading;
			await Promise.all([...generations].map(endGeneration));
			return isAllKept;
		},
	};
}
