import { isAbsolute } from 'node:path';
import { onSignals, page, standardOutput, UsageError } from '@bursar/terminal';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { type Agent, createAgent } from '../../agent/agent.ts';
import { addNumber, addTotal, createAgentMetrics } from '../../agent/agent-metrics.ts';
import { type CounterReporter, createCounterReporter } from '../../agent/counter-reporter.ts';
import { startOpenReporter } from '../../agent/open-reporter.ts';
import { readOpsPort, startOpsListener } from '../../agent/ops-listener.ts';
import { createPairChecker } from '../../agent/pair-checker.ts';
import { type ConnectionCutter, createConnectionCutter } from '../cutting/connection-cutter.ts';
import { endConnections, whyNotEnded } from '../cutting/end-connections.ts';
import { listenForPeerPairs, type PeerPairs } from '../cutting/peer-pairs.ts';
import { fetchActiveRequests } from './active-requests.ts';
import { createLogFollower, type LogFollower } from './log-follower.ts';
import { startSquidUsage } from './squid-usage.ts';

interface Options {
	readonly log: string;
	readonly manager: URL;
	readonly cut?: string;
	readonly opsHost: string;
	readonly opsPort: number;
}

const MANAGER = 'http://127.0.0.1:3128';
/** @bound The stop of `squid-usage`: then the process ends. */
const STOP_LIMIT_MS = 10_000;
const HELP = `
Reads the access log that squid.conf writes as in ${page('docs/edge/squid.md')}, and asks Squid's manager about requests that are
still open. It keeps no state: after a restart it reads the logs again, and what the service has counted stays counted.

--cut ends open connections of users whose pair is refused. It needs CAP_NET_ADMIN, and helpers with
"--tell" and the same socket.
`;

/** Adds the options and the action of `squid-usage`, which runs until SIGTERM or SIGINT. */
export function squidUsageCommand(): Command {
	return new Command('squid-usage')
		.description("count bytes from Squid's access log and manager")
		.option('--log <file>', 'the access log', readPath, '/var/log/squid/bursar.log')
		.option('--manager <url>', "where Squid's manager answers", readUrl, new URL(MANAGER))
		.option('--cut <socket>', 'listen on this socket for squid-auth, and end connections of refused users', readPath)
		.option('--ops-host <address>', 'where health and metrics are served; never make it public', '127.0.0.1')
		.option('--ops-port <port>', 'where health and metrics are served', readOpsPort, 9466)
		.addHelpText('after', HELP)
		.action(run);
}

async function run({ log, manager, cut, opsHost, opsPort }: Options): Promise<void> {
	const agent = createAgent(process.env, standardOutput());
	const { client, logger } = agent;
	const stopped = new Promise<void>((resolve) => onSignals(['SIGTERM', 'SIGINT'], () => resolve()));
	const peers = cut === undefined ? undefined : await listenForPeerPairs(cut);
	const cutter = peers && (await createCutter(agent, peers));
	const reporter = createCounterReporter({ client, logger });
	const follower = createLogFollower(log, logger);
	const fetchActive = () => fetchActiveRequests(manager);
	const openReporter = cutter && startOpenReporter({ client, openNow: cutter.openNow });
	const usage = startSquidUsage({ follower, fetchActive, reporter, cutter, logger });
	const end = async () => {
		await usage.stop();
		const [left] = await Promise.all([reporter.stop(STOP_LIMIT_MS), openReporter?.stop(STOP_LIMIT_MS)]);
		await Promise.all([follower.close(), peers?.close()]);
		client.close();
		return left;
	};
	const ops = await startOpsListener({
		host: opsHost,
		port: opsPort,
		registry: metricsOf(agent, reporter, follower, cutter),
		unreadyBecause: () => usage.problem() ?? reporter.stats.away,
	}).catch(async (cause) => {
		await end();
		throw cause;
	});
	logger.info({ opsUrl: ops.url, log }, 'ready');
	await stopped;
	logger.info('stopping');
	tellOfEnd(logger, await end());
	await ops.close();
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
	const total = (name: string, help: string, read: () => number) =>
		addTotal(registry, `bursar_edge_squid_${name}_total`, help, read);
	add('logs', 'Logs that are read.', () => follower.files);
	total('unreadable_lines', 'Lines of the logs that had another form.', () => follower.unreadableLines);
	if (cutter) {
		const { stats } = cutter;
		total('connections_cut', 'Connections of refused users that were ended.', () => stats.cut);
		add('connections_unknown', 'Open connections whose pair is not known.', () => stats.unknown);
	}
	return registry;
}

function tellOfEnd(logger: Logger, left: number): void {
	if (left === 0) logger.info('everything that was counted is reported');
	else logger.warn({ counters: left }, 'counters are not reported yet; the next start reads the logs again');
}

/** They throw a `UsageError` without the value, as all parsers of this command line do. */
function readPath(text: string): string {
	if (!isAbsolute(text)) throw new UsageError('--log and --cut: an absolute path is needed');
	return text;
}

function readUrl(text: string): URL {
	const url = URL.parse(text);
	const isPlain = url?.protocol === 'http:' && url.pathname === '/' && !url.username && !url.password && !url.search;
	if (!isPlain) throw new UsageError('--manager: an address like http://127.0.0.1:3128 is needed');
	return url;
}
