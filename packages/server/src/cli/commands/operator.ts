import { Command } from 'commander';
import { email } from '../email-argument.ts';
import { invite } from '../invitation.ts';

const EXAMPLE = '\nExample:\n  $ bursar operator invite --email olga@bursar.example\n';

/** `bursar operator ...` */
export function operatorCommand(): Command {
	const operator = new Command('operator').description('Invite operators to the dashboard.');
	operator.addHelpText('after', EXAMPLE);
	operator
		.command('invite')
		.description('invite an operator to the dashboard, and print the link, only this once')
		.requiredOption('--email <email>', 'the e-mail address that the person will sign in with', email)
		.addHelpText(
			'after',
			`
The person sets a password, and a passkey or one-time codes, which operators must have. The link is good for 72 hours
and for one use. A repeat makes a new link, as long as the previous one was not used.
${EXAMPLE}`,
		)
		.action((options: { email: string; json?: boolean }) => invite(null, options.email, options));
	return operator;
}
