import { say } from '@bursar/terminal';
import { Command } from 'commander';
import { username } from '../arguments.ts';
import { printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly json?: boolean;
}

const SUSPEND_HELP = `
Within seconds the proxy hosts refuse the reseller's own pair and those of all its sub-users, and end their connections.
Its programs and people can still read everything, but they change no money and no sub-user (403 suspended). Balances,
keys, tokens and people stay as they are, and you can still top it up and set its price.

Suspend when all processes of the service run this version: an older one goes on as before.

Example:
  $ bursar reseller suspend acme
`;

/** `bursar reseller suspend NAME` */
export function suspendCommand(): Command {
	return new Command('suspend')
		.description('refuse all pairs of a reseller, and all its changes, until it is resumed')
		.argument('<name>', 'username of the reseller', username)
		.addHelpText('after', SUSPEND_HELP)
		.action((name: string, options: Options) => setSuspended(name, true, options));
}

/** `bursar reseller resume NAME` */
export function resumeCommand(): Command {
	return new Command('resume')
		.description('end the suspension of a reseller')
		.argument('<name>', 'username of the reseller', username)
		.addHelpText('after', '\nExample:\n  $ bursar reseller resume acme\n')
		.action((name: string, options: Options) => setSuspended(name, false, options));
}

async function setSuspended(reseller: string, suspended: boolean, { json }: Options): Promise<void> {
	const kind = suspended ? 'suspend_reseller' : 'resume_reseller';
	const outcome = await inSession(({ bank, requestId }) => bank.submit({ kind, reseller, requestId }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ username: outcome.username, suspended: outcome.isSuspended }, json);
	if (json) return;
	say(
		suspended
			? `Within seconds, all pairs of ${reseller} and its sub-users are refused. It can read, and change nothing.`
			: `Within seconds, the pairs of ${reseller} are good again, except those of sub-users that are suspended themselves, have expired or reached a limit, or have nothing left.`,
	);
}
