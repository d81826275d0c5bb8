import cluster from 'node:cluster';
import { CommandError, onSignals } from '@bursar/terminal';
import type { Registry } from 'prom-client';
import type { AccountSpeeds, SpeedSharing } from '../speed/account-speeds.ts';
import type { Answers, FromWorker, ProcessMetrics, ToWorker } from './messages.ts';
import { WORKER_NAME } from './worker-process.ts';

/** The proxy that a worker runs. */
export interface WorkerProxy {
	readonly url: string;
	readonly registry: Registry;
	readonly speeds: Pick<AccountSpeeds, 'takeShares'>;
	/** Why it should get no requests now; `undefined` if it is ready. */
	unreadyBecause(): string | undefined;
	/**
	 * Lets connections end for this time, and cuts the others. Then reports the last bytes, for some seconds or for
	 * `reportMs`. A second call may shorten both. Resolves to whether all bytes are reported or in the spool.
	 */
	stop(graceMs: number, reportMs?: number): Promise<boolean>;
}

/** @bound Connections go on when all workers stop: then they are cut. */
const GRACE_MS = 4_000;
/**
 * The process ends after this time even if something still keeps it running.
 * @bound A worker stops, also after an uncaught exception: then the process ends.
 */
const STOP_LIMIT_MS = 10_500;

/** While it drains, a worker reports for as long as it may drain, and at least for this long. */
const LEAST_REPORT_MS = 5_000;

/** The name of this worker; `undefined` in the primary process. */
export function workerName(): string | undefined {
	return cluster.isWorker ? process.env[WORKER_NAME] : undefined;
}

/**
 * Runs a proxy until the primary process asks it to drain, or until SIGTERM. If the primary process is gone, it cuts its
 * connections and reports its last bytes. If `start` rejects, the primary process learns that the start has failed.
 */
export async function runWorker(start: (tellWaiting: SpeedSharing['tell']) => Promise<WorkerProxy>): Promise<void> {
	const { worker } = cluster;
	if (!worker) throw new Error('this is no worker');
	// By default, Node ends this process at once when the primary process is gone.
	worker.exitedAfterDisconnect = true;
	const ending = Promise.withResolvers<boolean>();
	let running: WorkerProxy | undefined;
	let graceMs: number | undefined;

	function stop(forMs: number, reportMs?: number): void {
		graceMs = Math.min(forMs, graceMs ?? forMs);
		running?.stop(graceMs, reportMs).then(ending.resolve, ending.reject);
	}

	onSignals(['SIGTERM', 'SIGINT'], () => {
		setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
		stop(GRACE_MS);
	});
	// A terminal sends SIGHUP to all processes. Only the primary process acts on it.
	process.on('SIGHUP', () => {});
	process.once('disconnect', () => {
		setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
		stop(0);
	});
	process.on('message', (message: ToWorker) => {
		if (message.kind === 'drain') stop(message.limitMs, Math.max(message.limitMs, LEAST_REPORT_MS));
		else if (message.kind === 'shares') running?.speeds.takeShares(message.shares);
		else if (message.kind === 'ask') void answer(message.id, message.what);
	});

	async function answer(id: number, what: keyof Answers): Promise<void> {
		const value = what === 'metrics' ? await metricsOf(running) : (running?.unreadyBecause() ?? null);
		tell({ kind: 'answer', id, value });
	}

	try {
		running = await start((accounts) => tell({ kind: 'waiting', accounts }));
	} catch (cause) {
		const { message } = cause as Error;
		const { code, exitCode } = cause instanceof CommandError ? cause : new CommandError('failed', message);
		tell({ kind: 'failed', code, message, exitCode });
		process.exitCode = exitCode;
		return leave();
	}
	tell({ kind: 'ready', url: running.url });
	if (graceMs !== undefined) stop(graceMs);
	const isAllKept = await ending.promise;
	tell({ kind: 'ending', metrics: await metricsOf(running) });
	process.exitCode = isAllKept ? 0 : 1;
	leave();
}

async function metricsOf(running: WorkerProxy | undefined): Promise<ProcessMetrics> {
	return running ? running.registry.getMetricsAsJSON() : [];
}

function tell(message: FromWorker): void {
	if (cluster.worker?.isConnected()) cluster.worker.send(message);
}

/** Messages that were sent before still arrive. */
function leave(): void {
	process.disconnect?.();
}
