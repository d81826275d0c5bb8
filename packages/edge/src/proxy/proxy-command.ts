import { isIP } from 'node:net';
import { allowedAddresses } from '@bursar/contract/allowed-ips';
import { standardOutput, UsageError } from '@bursar/terminal';
import type { AllowedDestination } from '@bursar/terminal/network';
import { openFilesLimit } from '@bursar/terminal/open-files';
import { Command } from 'commander';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAgent } from '../agent/agent.ts';
import { addNumber, addTotal, addTotalByLabel, createAgentMetrics } from '../agent/agent-metrics.ts';
import { openReadingSpool } from '../agent/reading-spool.ts';
import { addCertificateMetric, addClientOptions, type ClientOptions, certificateOf } from './client/client-options.ts';
import { fitOpenFiles } from './client/fit-open-files.ts';
import { openDenied } from './denied/denied.ts';
import { addFromMetrics, addFromOptions, type FromOptions, outgoingOf } from './from/from-options.ts';
import type { RunningProxy } from './proxy.ts';
import type { SpeedSharing } from './speed/account-speeds.ts';
import { createUpstreams, type ExitState, type ListedUpstreams } from './upstream/exits.ts';
import { createExitReadiness } from './upstream/readiness.ts';
import { type ListedExit, readUpstreamList } from './upstream/upstream-list.ts';
import { addUpstreamMetrics } from './upstream/upstream-metrics.ts';
import { runPrimary } from './workers/primary.ts';
import { runWorker, type WorkerProxy, workerName } from './workers/worker.ts';
import { workerSpool } from './workers/worker-spools.ts';

interface Options extends ClientOptions, FromOptions {
	readonly host: string;
	readonly port: number;
	readonly opsHost: string;
	readonly opsPort: number;
	readonly upstream?: readonly ListedExit[];
	readonly unknownOptions: 'refuse' | 'pass';
	readonly denied?: string;
	readonly allowPrivate?: true;
	readonly allow: readonly AllowedDestination[];
	readonly maxConnections: number;
	readonly maxConnectionsPerClient: number;
	readonly maxConnectionsPerAccount: number;
	readonly closedPorts?: readonly number[];
	readonly openPorts?: readonly number[];
	readonly connectionLog: boolean;
	readonly idleSeconds: number;
	readonly spool?: string;
	readonly workers: number;
	readonly drainSeconds: number;
}

/** `bursar-edge proxy`: runs until SIGTERM or SIGINT, or until its parent closes their channel. */
export function proxyCommand(): Command {
	const { integer, destination, ports, upstream, unknownOptions } = parsers;
	const command = new Command('proxy')
		.description('run a proxy that checks pairs and counts bytes')
		.option('--host <address>', 'where clients connect', '127.0.0.1')
		.option('--port <port>', 'where clients connect', integer(0, 65_535), 3128)
		.option('--ops-host <address>', 'where health and metrics are served; never make it public', '127.0.0.1')
		.option('--ops-port <port>', 'where health and metrics are served', integer(0, 65_535), 9465)
		.option('--upstream <urls>', 'send everything through these; with credentials, set BURSAR_EDGE_UPSTREAM', upstream)
		.option('--unknown-options <what>', 'refuse or pass options that no upstream takes', unknownOptions, 'refuse')
		.option('--allow-private', 'allow destinations in private networks and on this machine')
		.option('--allow <address:port>', 'allow this private destination; may be repeated', destination, [])
		/** @bound Connections of clients (`--max-connections`): further ones are closed at once. */
		.option('--max-connections <number>', 'close further connections at once', integer(1, 1_000_000), 10_000)
		.option('--closed-ports <list>', 'refuse these ports; "none" refuses none (default: 25,465,587)', ports)
		.option('--open-ports <list>', 'refuse all ports but these', ports)
		.option('--denied <file>', 'refuse the destinations on this list, for all accounts or for those of some resellers')
		/**
		 * @bound Connections of one address or IPv6 /64 (`--max-connections-per-client`): further ones are answered
		 * 429.
		 */
		.option('--max-connections-per-client <number>', 'of one address, or one /64 of IPv6', integer(1, 1_000_000), 256)
		/** @bound Connections of one account (`--max-connections-per-account`): further ones are answered 429. */
		.option('--max-connections-per-account <number>', 'of one account', integer(1, 1_000_000), 2_000)
		.option('--spool <folder>', 'keep bytes that wait for the service here, so that they outlive this process')
		.option('--no-connection-log', 'log neither connections nor refused clients')
		/** @bound Nothing moves on a connection (`--idle-seconds`): then it is closed. */
		.option('--idle-seconds <number>', 'close connections on which nothing moves', integer(1, 86_400), 600)
		.option('--workers <number>', 'processes that serve clients', integer(1, 256), 1)
		/**
		 * @bound Connections after a reload (`--drain-seconds`): then they are cut. A further reload cuts those of two
		 * reloads ago.
		 */
		.option('--drain-seconds <number>', 'how long connections may go on after SIGHUP', integer(0, 86_400), 3_600);
	return addFromOptions(addClientOptions(command))
		.addHelpText('after', '\nExample:\n  $ bursar-edge proxy --host :: --port 3128\n')
		.action(run);
}

async function run(options: Options): Promise<void> {
	const name = workerName();
	if (name !== undefined) return runWorker((tellWaiting) => startWorker(name, options, tellWaiting));
	const agent = createAgent(process.env, standardOutput());
	const registry = createAgentMetrics(agent);
	outliveFaults(registry, agent.logger);
	await runPrimary({ ...options, registry, agent });
}

/** Starts the proxy of a worker, with its own client of the service, counters and spool. */
async function startWorker(name: string, options: Options, tellWaiting: SpeedSharing['tell']): Promise<WorkerProxy> {
	const { settings, client, logger, droppedLogLines } = createAgent(process.env, standardOutput(), name);
	const passesUnknownOptions = options.unknownOptions === 'pass';
	const exits = listedExits(options.upstream, settings.upstreams);
	const upstreams = openUpstreams(exits, passesUnknownOptions, logger);
	const outgoing = outgoingOf(options, upstreams !== undefined, logger);
	const denied = options.denied === undefined ? undefined : openDenied(options.denied, logger);
	// Loaded here, because neither the primary process nor Squid's helpers need it.
	const { startProxy } = await import('./proxy.ts');
	const spool =
		options.spool === undefined ? undefined : await openReadingSpool(workerSpool(options.spool, name), logger);
	const certificate = certificateOf(options, { mayBeOpen: settings.mayBeOpen, logger });
	const fitting = fitOpenFiles(options, openFilesLimit(), logger);
	const proxy = await startProxy({
		client,
		logger,
		spool,
		host: options.host,
		port: options.port,
		destinations: {
			allowPrivate: options.allowPrivate ?? false,
			allowed: options.allow,
			isRoutedHere: options.from && allowedAddresses(options.from.map(({ text }) => text)),
			closedPorts: options.closedPorts,
			openPorts: options.openPorts,
		},
		upstreams,
		outgoing,
		denied,
		passesUnknownOptions,
		maxConnections: fitting.maxConnections,
		maxConnectionsPerClient: fitting.maxConnectionsPerClient,
		maxConnectionsPerAccount: fitting.maxConnectionsPerAccount,
		certificate,
		loadBalancers: options.proxyProtocolFrom,
		logsConnections: options.connectionLog,
		speedSharing: { firstShare: 1 / options.workers, tell: tellWaiting },
		idleMs: options.idleSeconds * 1_000,
	});
	const registry = createAgentMetrics({ ...proxy, droppedLogLines });
	addProxyMetrics(proxy, registry);
	addCertificateMetric(certificate, registry);
	if (upstreams) addUpstreamMetrics(upstreams.states, registry);
	const upstreamProblem = exits && upstreams && createExitReadiness({ upstreams, exits });
	if (outgoing) addFromMetrics(outgoing.states, registry);
	outliveFaults(registry, logger, endInOrder);
	return {
		url: proxy.url,
		registry,
		speeds: proxy.speeds,
		unreadyBecause: () =>
			proxy.unreadyBecause() ??
			upstreamProblem?.() ??
			(outgoing?.areAllLeftOut() ? 'every outgoing address is left out' : undefined),
		async stop(graceMs, reportMs) {
			const unreported = await proxy.stop(graceMs, reportMs);
			if (unreported > 0)
				logger.error({ accounts: unreported }, 'the last bytes of these accounts could not be reported');
			certificate?.stop();
			await spool?.close();
			client.close();
			return unreported === 0;
		},
	};
}

function listedExits(
	ofOption: readonly ListedExit[] | undefined,
	ofSettings: readonly ListedExit[] | undefined,
): readonly ListedExit[] | undefined {
	if (!ofOption || !ofSettings) return ofOption ?? ofSettings;
	throw new UsageError('--upstream, BURSAR_EDGE_UPSTREAM or BURSAR_EDGE_UPSTREAM_FILE: only one of them may be set');
}

function openUpstreams(
	exits: readonly ListedExit[] | undefined,
	passesUnknownOptions: boolean,
	logger: Logger,
): ListedUpstreams | undefined {
	const takesOthers = exits?.some(({ username, password }) => username.takesOthers || password.takesOthers);
	if (takesOthers && !passesUnknownOptions) {
		throw new UsageError('an upstream says {options}: it would get none without --unknown-options pass');
	}
	const changed = ({ isUp, number, address }: ExitState) => {
		if (isUp) logger.info({ upstream: number, address }, 'an upstream works again');
		else logger.warn({ upstream: number, address }, 'an upstream is left out');
	};
	const upstreams = exits && createUpstreams({ exits, passesUnknownOptions, changed });
	if (upstreams && upstreams.withoutSession.length > 0) {
		const message =
			'no session uses these upstreams: their user and password have no {session}, but those of others do';
		logger.warn({ upstreams: upstreams.withoutSession }, message);
	}
	return upstreams;
}

/**
 * A promise that rejects is about one request, and must not end all others. After an uncaught exception, the state of this
 * process may be wrong, so it calls `ends`.
 */
function outliveFaults(registry: Registry, logger: Logger, ends: () => void = () => {}): void {
	let faults = 0;
	addTotal(
		registry,
		'bursar_edge_proxy_faults_total',
		'Errors that nothing handled. Please report them.',
		() => faults,
	);
	process.on('unhandledRejection', (err) => {
		faults++;
		logger.error(whereThrown(err), 'a request failed');
	});
	process.on('uncaughtException', (err) => {
		faults++;
		logger.error(whereThrown(err), 'nothing caught this error');
		ends();
	});
}

/** Connections have some seconds, the last bytes are reported, and the worker gets a successor. */
function endInOrder(): void {
	process.kill(process.pid, 'SIGTERM');
}

/** Logs where an error was thrown, without its message, which may repeat text of a client. */
function whereThrown(error: unknown) {
	if (!(error instanceof Error)) return { kind: typeof error };
	const { name, message, code, stack } = error as NodeJS.ErrnoException;
	const lines = String(stack).replace(message, '').split('\n');
	return { kind: name, code, at: lines.filter((line) => line.startsWith('    at ')) };
}

function addProxyMetrics(proxy: RunningProxy, registry: Registry): void {
	const metrics = {
		requests: 'Plain requests, refused ones too.',
		tunnels: 'Tunnels of CONNECT and SOCKS5, refused ones too.',
		dropped: 'Connections that were refused or closed because there were too many, in all or of one client.',
		cut: 'Connections that were cut because their pair was not good any more, or its balance had run out.',
	} as const;
	addNumber(registry, 'bursar_edge_proxy_connections', 'Open connections of clients.', () => proxy.stats.connections);
	for (const [name, help] of Object.entries(metrics) as [keyof typeof metrics, string][]) {
		addTotal(registry, `bursar_edge_proxy_${name}_total`, help, () => proxy.stats[name]);
	}
	const noWay = 'Requests whose destination was not served, by the reason.';
	addTotalByLabel(registry, 'bursar_edge_proxy_no_way_total', noWay, 'reason', () => proxy.stats.noWay);
}

/** They throw a `UsageError` without the value, which may be a secret. */
const parsers = {
	integer: (from: number, to: number) => (text: string) => {
		const value = Number(text);
		if (/^\d{1,7}$/.test(text) && value >= from && value <= to) return value;
		throw new UsageError(`a number from ${from} to ${to} is needed (see bursar-edge proxy --help)`);
	},
	destination(text: string, before: readonly AllowedDestination[]): readonly AllowedDestination[] {
		const [, ipv6, other = '', digits] = /^(?:\[(.*)\]|(.*)):(\d{1,5})$/.exec(text) ?? [];
		const [address, port] = [ipv6 ?? other, Number(digits)];
		if (isIP(address) === (ipv6 === undefined ? 4 : 6) && port >= 1 && port <= 65_535) {
			return [...before, { address, port }];
		}
		throw new UsageError('--allow: an address and a port are needed, like 127.0.0.1:8080 or [::1]:8080');
	},
	ports(text: string): readonly number[] {
		if (text === 'none') return [];
		const list = text.split(',').map(Number);
		if (/^\d{1,5}(,\d{1,5})*$/.test(text) && list.every((port) => port >= 1 && port <= 65_535)) return list;
		throw new UsageError('a list of ports is needed, like 25,465,587, or "none" (see bursar-edge proxy --help)');
	},
	upstream(text: string): readonly ListedExit[] {
		let exits: readonly ListedExit[];
		try {
			exits = readUpstreamList(text);
		} catch (cause) {
			throw new UsageError(`--upstream: ${(cause as Error).message}`);
		}
		if (exits.every(({ username, password }) => username.parts.length + password.parts.length === 0)) return exits;
		throw new UsageError('--upstream: credentials in arguments are seen by others, so set BURSAR_EDGE_UPSTREAM');
	},
	unknownOptions(text: string): 'refuse' | 'pass' {
		if (text === 'refuse' || text === 'pass') return text;
		throw new UsageError('--unknown-options: "refuse" or "pass" is needed');
	},
} as const;
