import cluster from 'node:cluster';
import { CommandError } from '@bursar/terminal';
import type { AccountWaiting, SpeedShare } from '../speed/speed-shares.ts';
import { createLineReader } from './line-reader.ts';
import type { Answers, FromWorker, ProcessMetrics, ToWorker } from './messages.ts';

/** A worker, as the primary process sees it. */
export interface WorkerProcess {
	/** The service knows its open connections by this name. */
	readonly name: string;
	readonly pid: number | undefined;
	/** Resolves to its address. Rejects with a `CommandError` if it cannot start, or takes too long. */
	readonly ready: Promise<string>;
	/** Resolves when it has ended. */
	readonly ended: Promise<WorkerEnding>;
	/** When its last message came, or its start (monotonic milliseconds). */
	readonly heardAtMs: number;
	/** Resolves to `undefined` if it does not answer within a second. Never rejects. */
	ask<What extends keyof Answers>(what: What): Promise<Answers[What] | undefined>;
	/** Tells it how much of speed limits it may use. */
	share(shares: readonly SpeedShare[]): void;
	/** It accepts nothing new, and ends when all connections have ended, or after this time. */
	drain(limitMs: number): void;
	/** It ends within ten seconds. */
	stop(): void;
	kill(): void;
}

export interface WorkerEnding {
	/** 0 if it has ended in good order and all bytes are reported or in the spool. */
	readonly code: number | null;
	readonly signal: string | null;
	/** Its last metrics, if it could send them. */
	readonly metrics: ProcessMetrics | undefined;
}

/** The variable that tells a worker its name. */
export const WORKER_NAME = 'BURSAR_PROXY_WORKER';

/** @bound A worker starts: then it is killed. */
const START_LIMIT_MS = 30_000;
const ANSWER_MS = 1_000;

/**
 * Starts a worker: the program of this process, with the same arguments. `log` gets the lines of its standard output, and
 * `waits` learns where connections wait because of speed limits.
 * Workers accept connections from one socket: none is lost when a worker stops.
 */
export function startWorkerProcess(
	name: string,
	log: (line: string) => void,
	waits: (accounts: readonly AccountWaiting[]) => void,
): WorkerProcess {
	cluster.schedulingPolicy = cluster.SCHED_NONE;
	cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
	const worker = cluster.fork({ [WORKER_NAME]: name });
	const { process: child } = worker;
	const ready = Promise.withResolvers<string>();
	const ended = Promise.withResolvers<WorkerEnding>();
	const asked = new Map<number, (value: Answers[keyof Answers] | undefined) => void>();
	let questions = 0;
	let lastMetrics: ProcessMetrics | undefined;
	let heardAtMs = performance.now();

	const fail = (message: string, code = 'failed', exitCode?: number) =>
		ready.reject(new CommandError(code, message, exitCode));
	const late = setTimeout(() => fail('a worker was not ready in time'), START_LIMIT_MS);
	// A rejection reaches the caller, if one waits. Without this, a rejection without a caller would end this process.
	ready.promise.catch(() => {}).finally(() => clearTimeout(late));

	worker.on('message', (message: FromWorker) => {
		heardAtMs = performance.now();
		if (message.kind === 'ready') ready.resolve(message.url);
		else if (message.kind === 'failed') fail(message.message, message.code, message.exitCode);
		else if (message.kind === 'waiting') waits(message.accounts);
		else if (message.kind === 'ending') lastMetrics = message.metrics;
		else asked.get(message.id)?.(message.value);
	});
	function end(code: number | null, signal: string | null): void {
		fail(`a worker has ended at its start (${signal ?? code})`);
		for (const answer of asked.values()) answer(undefined);
		ended.resolve({ code, signal, metrics: lastMetrics });
	}
	worker.on('exit', end);
	worker.on('error', (cause: NodeJS.ErrnoException) => {
		// It could not be started, or a message could not be sent.
		if (child.pid === undefined) end(null, cause.code ?? 'error');
	});
	const lines = createLineReader(log);
	child.stdout?.setEncoding('utf8').on('data', lines.push);

	function tell(message: ToWorker): void {
		if (worker.isConnected()) worker.send(message);
	}

	return {
		name,
		pid: child.pid,
		ready: ready.promise,
		ended: ended.promise,
		get heardAtMs() {
			return heardAtMs;
		},
		ask<What extends keyof Answers>(what: What) {
			return new Promise<Answers[What] | undefined>((resolve) => {
				if (!worker.isConnected()) return resolve(undefined);
				const id = questions++;
				const answer = (value: Answers[keyof Answers] | undefined) => {
					clearTimeout(timer);
					asked.delete(id);
					resolve(value as Answers[What] | undefined);
				};
				const timer = setTimeout(answer, ANSWER_MS, undefined);
				asked.set(id, answer);
				tell({ kind: 'ask', id, what });
			});
		},
		share: (shares) => tell({ kind: 'shares', shares }),
		drain: (limitMs) => tell({ kind: 'drain', limitMs }),
		stop: () => void child.kill('SIGTERM'),
		kill: () => void child.kill('SIGKILL'),
	};
}
