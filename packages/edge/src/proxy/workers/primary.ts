import { CommandError, onSignals } from '@bursar/terminal';
import { serviceNotifier } from '@bursar/terminal/systemd';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Agent } from '../../agent/agent.ts';
import { addNumber, addTotal } from '../../agent/agent-metrics.ts';
import { startOpsListener } from '../../agent/ops-listener.ts';
import { createSpeedShares } from '../speed/speed-shares.ts';
import { type Supervisor, startSupervisor } from './supervisor.ts';
import { createWorkerMetrics } from './worker-metrics.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';
import { openWorkerSpools, type WorkerSpools } from './worker-spools.ts';

export interface PrimaryOptions {
	readonly workers: number;
	readonly drainSeconds: number;
	readonly opsHost: string;
	readonly opsPort: number;
	readonly spool?: string | undefined;
	/** The lines of workers go to the same output. */
	readonly agent: Pick<Agent, 'logger' | 'lines'>;
	/** The metrics of this process. */
	readonly registry: Registry;
}

/**
 * The process ends after this time even if something still keeps it running.
 * @bound The whole stop of the proxy: then the process ends.
 */
const STOP_LIMIT_MS = 12_000;

/**
 * The primary process of a proxy. It runs the workers that serve clients, and reports how they do. It runs until SIGTERM or
 * SIGINT, or until its parent closes their channel, and sets the exit code. On SIGHUP, new workers replace the old ones.
 */
export async function runPrimary(options: PrimaryOptions): Promise<void> {
	const { workers: count, registry } = options;
	const { logger, lines } = options.agent;
	const stopped = new Promise<void>((resolve) => {
		onSignals(['SIGTERM', 'SIGINT'], () => resolve());
		// With a channel, a parent process waits for the address. If the parent ends, so does this process.
		process.once('disconnect', resolve);
	});
	let supervisor: Supervisor | undefined;
	process.on('SIGHUP', () => supervisor?.reload());

	const spools = options.spool === undefined ? undefined : await openSpools(options.spool, logger);
	const running = (): readonly WorkerProcess[] => supervisor?.running() ?? [];
	const metrics = createWorkerMetrics(registry, running);
	const speedShares = createSpeedShares<WorkerProcess>((worker, shares) => worker.share(shares));
	addNumber(registry, 'bursar_edge_workers', 'Workers that accept connections.', () => supervisor?.stats.workers ?? 0);
	addNumber(
		registry,
		'bursar_edge_workers_draining',
		'Workers from before the last reload, which drain.',
		() => supervisor?.stats.draining ?? 0,
	);
	addTotal(
		registry,
		'bursar_edge_worker_failures_total',
		'Workers that have ended although they should not.',
		() => supervisor?.stats.failures ?? 0,
	);
	supervisor = await startSupervisor({
		count,
		logger,
		drainMs: options.drainSeconds * 1_000,
		async start(name, taken) {
			// If its folder is at fault, the start of the worker says so.
			await spools?.prepare(name, taken).catch((err: Error) => {
				logger.error({ err }, 'readings that earlier workers have left stay in their folders');
			});
			const worker = startWorkerProcess(name, lines.write, (accounts) => speedShares.heard(worker, accounts));
			return worker;
		},
		onEnded(worker, ending) {
			metrics.ended(worker, ending);
			speedShares.ended(worker);
			spools?.ended(worker.name).catch((err: Error) => logger.error({ err }, 'the folder of a worker stays'));
		},
	});
	const { url, unreadyBecause, stop } = supervisor;
	const ops = await startOpsListener({
		host: options.opsHost,
		port: options.opsPort,
		registry: metrics,
		unreadyBecause,
	}).catch(async (cause) => {
		await stop();
		throw cause;
	});
	const systemd = serviceNotifier(process.env, (err) => logger.error({ err }, 'systemd could not be notified'));
	systemd.ready();
	logger.info({ url, opsUrl: ops.url, workers: count }, 'ready');
	process.send?.({ url });

	await stopped;
	systemd.stopping();
	logger.info('stopping');
	setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
	const isAllKept = await stop();
	await spools?.close();
	await ops.close();
	logger.info('stopped');
	process.exitCode = isAllKept ? 0 : 1;
	process.disconnect?.();
}

async function openSpools(folder: string, logger: Logger): Promise<WorkerSpools> {
	try {
		return await openWorkerSpools(folder, logger);
	} catch (cause) {
		throw new CommandError('failed', `--spool: the folder cannot be used: ${(cause as Error).message}`);
	}
}
