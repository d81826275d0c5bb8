import { page } from '@bursar/terminal';
import { Command } from 'commander';
import { createAgent } from '../../agent/agent.ts';
import { createAgentMetrics } from '../../agent/agent-metrics.ts';
import { readOpsPort } from '../../agent/ops-listener.ts';
import { createPairChecker } from '../../agent/pair-checker.ts';
import { startRefusalReporter } from '../../agent/refusal-reporter.ts';
import { createPeerPairTeller } from '../cutting/tell-peer-pairs.ts';
import { answerHelperRequests } from './answer-helper-requests.ts';
import { startOpsListenerWhenFree } from './ops-listener-when-free.ts';

/** @bound The last refusals are told when Squid ends a helper: then it ends. */
const TELL_LAST_MS = 1_000;
const HELP = `
Squid starts this program and asks it about pairs. The lines for squid.conf are in ${page('docs/edge/squid.md')}. The log goes to
standard error, which Squid writes into its cache.log.
`;

interface Options {
	readonly tell?: string;
	readonly opsHost: string;
	/** Absent: health and metrics are not served. */
	readonly opsPort?: number;
}

/** Adds the options and the action of `squid-auth`. */
export function squidAuthCommand(): Command {
	return new Command('squid-auth')
		.description("answer Squid's requests about pairs")
		.option('--tell <socket>', 'tell "squid-usage --cut", which listens on this socket, about open connections')
		.option('--ops-host <address>', 'where health and metrics are served; never make it public', '127.0.0.1')
		.option('--ops-port <port>', 'where health and metrics are served; off by default', readOpsPort)
		.addHelpText('after', HELP)
		.action(answerSquid);
}

async function answerSquid({ tell, opsHost, opsPort }: Options): Promise<void> {
	const { client, logger, droppedLogLines } = createAgent(process.env, process.stderr);
	// Squid ends its helpers by closing their input. A terminal's signals reach them too.
	for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
	const checker = createPairChecker({ client });
	const teller = tell === undefined ? undefined : createPeerPairTeller(tell, logger);
	const refusals = startRefusalReporter({ client, isAway: () => checker.stats.away !== undefined });
	const registry = createAgentMetrics({ checker, refusals, droppedLogLines });
	const unreadyBecause = () => checker.stats.away;
	const ops =
		opsPort === undefined
			? undefined
			: startOpsListenerWhenFree({ host: opsHost, port: opsPort, registry, unreadyBecause }, logger);
	await answerHelperRequests({
		input: process.stdin,
		output: process.stdout,
		checker,
		logger,
		refusals,
		...(teller && { onGood: teller.tell }),
	});
	await refusals.stop(TELL_LAST_MS);
	teller?.close();
	await ops?.close();
	client.close();
}
