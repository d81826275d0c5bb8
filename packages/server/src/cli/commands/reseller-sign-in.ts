import { say } from '@bursar/terminal';
import { Command } from 'commander';
import { username } from '../arguments.ts';
import { printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly off?: boolean;
	readonly json?: boolean;
}

const HELP = `
The reseller can then say for each of its sub-users from which addresses it signs in: who uses our proxy from such an address
without a password is this sub-user. With --off, the proxy hosts refuse these addresses within seconds, and the reseller
cannot add any. They are kept.

Allow it when all processes of the service and all proxy hosts run this version. Behind a load balancer that hides the
addresses of clients, all clients have the same one.

Examples:
  $ bursar reseller sign-in-by-address acme
  $ bursar reseller sign-in-by-address acme --off
`;

/** `bursar reseller sign-in-by-address NAME [--off]` */
export function signInByAddressCommand(): Command {
	return new Command('sign-in-by-address')
		.description('let sub-users of a reseller sign in by the address of their client, without a password')
		.argument('<name>', 'username of the reseller', username)
		.option('--off', 'end it, and keep their addresses')
		.addHelpText('after', HELP)
		.action((name: string, options: Options) => allowSignIn(name, options));
}

async function allowSignIn(reseller: string, { off, json }: Options): Promise<void> {
	const outcome = await inSession(({ bank, requestId }) =>
		bank.submit({ kind: 'allow_sign_in_by_address', reseller, isAllowed: !off, requestId }),
	);
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ username: outcome.username, sign_in_by_address: outcome.isAllowed }, json);
	if (json) return;
	say(
		outcome.isAllowed
			? `${reseller} can now set from which addresses its sub-users sign in.`
			: `Within seconds, the proxy hosts ask all sub-users of ${reseller} for a password.`,
	);
}
