import type { Command } from 'commander';
import { createAgent } from '../agent/agent.ts';
import { createPairChecker } from '../agent/pair-checker.ts';
import { answerHelperRequests } from './answer-helper-requests.ts';
import { createPeerPairTeller } from './tell-peer-pairs.ts';

const HELP = `
Squid starts this program and asks it about pairs. The lines for squid.conf are in docs/edge/squid.md. The log goes to
standard error, which Squid writes into its cache.log.
`;

/** Adds the options and the action of `squid-auth`. */
export function squidAuthCommand(command: Command): void {
	command
		.option('--tell <socket>', 'tell "squid-usage --cut", which listens on this socket, about open connections')
		.addHelpText('after', HELP)
		.action(({ tell }: { tell?: string }) => answerSquid(tell));
}

async function answerSquid(socket: string | undefined): Promise<void> {
	const { client, logger } = createAgent(process.env, process.stderr);
	// Squid ends its helpers by closing their input. A terminal's signals reach them too.
	for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
	const checker = createPairChecker({ client });
	const teller = socket === undefined ? undefined : createPeerPairTeller(socket, logger);
	await answerHelperRequests({
		input: process.stdin,
		output: process.stdout,
		checker,
		logger,
		...(teller && { onGood: teller.tell }),
	});
	teller?.close();
	client.close();
}
