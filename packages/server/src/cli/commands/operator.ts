import { Command } from 'commander';
import { newEmail } from '../email-argument.ts';
import { invite, makeClaim } from '../invitation.ts';

const EXAMPLE = '\nExample:\n  $ bursar operator invite --email olga@bursar.example\n';

/** `bursar operator ...` */
export function operatorCommand(): Command {
	const operator = new Command('operator').description('Bring operators to the dashboard.');
	operator.addHelpText('after', EXAMPLE);
	operator
		.command('invite')
		.description('invite an operator to the dashboard, and print the link, only this once')
		.requiredOption('--email <email>', 'the e-mail address that the person will sign in with', newEmail)
		.addHelpText(
			'after',
			`
The person sets a password, and a passkey or one-time codes, which operators must have. The link is good for 72 hours
and for one use. A repeat makes a new link, as long as the previous one was not used.
${EXAMPLE}`,
		)
		.action((options: { email: string; json?: boolean }) =>
			invite({ reseller: null, role: null }, options.email, options),
		);
	operator
		.command('claim')
		.description('print the link with which the first operator claims the service, only this once')
		.addHelpText(
			'after',
			`
Whoever opens the link chooses an e-mail address and a password, and becomes the first operator. It is good for 24 hours
and for one use. A repeat makes a new link, and the previous one ends. If there is an operator already, also one who was
only invited, no link is made, and none is good any more.

Example:
  $ bursar operator claim
`,
		)
		.action((options: { json?: boolean }) => makeClaim(options));
	return operator;
}
