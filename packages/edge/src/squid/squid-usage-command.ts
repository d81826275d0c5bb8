import { isAbsolute } from 'node:path';
import { CommandError, onSignals, UsageError } from '@bursar/terminal';
import { type Command, InvalidArgumentError } from 'commander';
import type { Logger } from 'pino';
import { type Agent, createAgent } from '../agent/agent.ts';
import { addNumber, createAgentMetrics } from '../agent/agent-metrics.ts';
import { type CounterReporter, createCounterReporter } from '../agent/counter-reporter.ts';
import { startOpsListener } from '../agent/ops-listener.ts';
import { createPairChecker } from '../agent/pair-checker.ts';
import { type ConnectionCutter, createConnectionCutter } from './connection-cutter.ts';
import { endConnections, whyNotEnded } from './end-connections.ts';
import { fetchActiveRequests } from './fetch-active-requests.ts';
import { createLogFollower, type LogFollower } from './log-follower.ts';
import { listenForPeerPairs, type PeerPairs } from './peer-pairs.ts';
import { startSquidUsage } from './squid-usage.ts';

interface Options {
	readonly log: string;
	readonly manager: URL;
	readonly cut?: string;
	readonly opsPort: number;
}

const STOP_LIMIT_MS = 10_000;
const HELP = `
Reads the access log that squid.conf writes as in docs/edge/squid.md, and asks Squid's manager about requests that are
still open. It keeps no state: after a restart it reads the logs again, and what the service has counted stays counted.

--cut ends open connections of users whose pair is refused. It needs CAP_NET_ADMIN, and helpers with
"--tell" and the same socket.
`;

/** Adds the options and the action of \`squid-usage\`. */
export function squidUsageCommand(command: Command): void {
	command
		.option('--log <file>', 'the access log', readPath, '/var/log/squid/bursar.log')
		.option('--manager <url>', "Squid's address for its manager", readUrl, new URL('http://127.0.0.1:3128'))
		.option('--cut <socket>', 'listen on this socket for squid-auth, and end connections of refused users', readPath)
		.option('--ops-port <port>', 'port of 127.0.0.1 for /livez, /readyz and /metrics', readPort, 9192)
		.addHelpText('after', HELP)
		.action((options: Options) => countUsage(options));
}

async function countUsage({ log, manager, cut, opsPort }: Options): Promise<void> {
	const agent = createAgent(process.env, process.stdout);
	const { client, logger } = agent;
	const peers = cut === undefined ? undefined : await listenForPeerPairs(cut).catch(fail);
	const reporter = createCounterReporter({ client, logger });
	const follower = createLogFollower(log, logger);
	const cutter = peers && (await createCutter(agent, peers));
	const fetchActive = () => fetchActiveRequests(manager);
	const usage = startSquidUsage({ follower, fetchActive, reporter, cutter, logger });
	const ops = await startOpsListener({
		host: '127.0.0.1',
		port: opsPort,
		registry: metricsOf(agent, reporter, follower, cutter),
		unreadyBecause: () => usage.problem() ?? reporter.stats.away,
	}).catch(fail);
	logger.info({ opsUrl: ops.url, log }, 'ready');
	await new Promise<void>((resolve) => onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], () => resolve()));
	await usage.stop();
	tellOfEnd(logger, await reporter.stop(STOP_LIMIT_MS));
	await Promise.all([follower.close(), ops.close(), peers?.close()]);
	client.close();
}

async function createCutter({ client, logger }: Agent, peers: PeerPairs): Promise<ConnectionCutter> {
	const reason = await whyNotEnded();
	if (reason !== undefined) {
		logger.error({ reason }, 'connections cannot be ended here, so --cut does nothing: open tunnels go on');
	}
	const end = reason === undefined ? endConnections : async () => {};
	return createConnectionCutter({ peers, checker: createPairChecker({ client }), end, logger });
}

function metricsOf(agent: Agent, reporter: CounterReporter, follower: LogFollower, cutter?: ConnectionCutter) {
	const registry = createAgentMetrics({ reporter, droppedLogLines: () => agent.droppedLogLines() });
	const add = (name: string, help: string, read: () => number) =>
		addNumber(registry, `bursar_edge_squid_${name}`, help, read);
	add('logs', 'Logs that are read.', () => follower.files);
	add('unreadable_lines', 'Lines of the logs that had another form.', () => follower.unreadableLines);
	if (cutter) {
		const { stats } = cutter;
		add('connections_cut', 'Connections of refused users that were ended.', () => stats.cut);
		add('connections_unknown', 'Open connections whose pair is not known.', () => stats.unknown);
	}
	return registry;
}

function tellOfEnd(logger: Logger, left: number): void {
	if (left === 0) logger.info('everything that was counted is reported');
	else logger.warn({ counters: left }, 'counters are not reported yet; the next start reads the logs again');
}

function fail(cause: unknown): never {
	throw new CommandError('failed', (cause as Error).message);
}

function readPath(text: string): string {
	if (!isAbsolute(text)) throw new InvalidArgumentError('it must be an absolute path');
	return text;
}

function readUrl(text: string): URL {
	const url = URL.parse(text);
	if (url?.protocol !== 'http:' || url.username || url.password || url.pathname !== '/') {
		throw new UsageError('--manager: it must be an address like http://127.0.0.1:3128');
	}
	return url;
}

function readPort(text: string): number {
	const port = Number(text);
	if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('it must be a port');
	return port;
}
