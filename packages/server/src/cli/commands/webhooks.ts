import { Command } from 'commander';
import { printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly json?: boolean;
}

const PAUSE_HELP = `
Run it on a copy of the store that is served beside the real one, before a service starts on it. bursar backup has done it in
its file already. Nothing else of the webhooks changes.

Example:
  $ bursar webhooks pause
`;

const RESUME_HELP = `
Run it once the copy has become the real store. Webhooks that were off before stay off.

Example:
  $ bursar webhooks resume
`;

/** `bursar webhooks ...` */
export function webhooksCommand(): Command {
	const webhooks = new Command('webhooks').description('Switch the webhooks of a restored copy off or on.');
	webhooks.addHelpText('after', '\nExample:\n  $ bursar webhooks resume\n');
	webhooks
		.command('pause')
		.description('switch off all webhooks, because this store is a copy')
		.addHelpText('after', PAUSE_HELP)
		.action((options: Options) => switchAll('pause_webhooks', options));
	webhooks
		.command('resume')
		.description('switch on the webhooks that were switched off because the store was a copy')
		.addHelpText('after', RESUME_HELP)
		.action((options: Options) => switchAll('resume_webhooks', options));
	return webhooks;
}

async function switchAll(kind: 'pause_webhooks' | 'resume_webhooks', { json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind }));
	if (!outcome.ok) throw refusalError(outcome);
	const { webhooks } = outcome;
	printResult(kind === 'pause_webhooks' ? { paused_webhooks: webhooks } : { resumed_webhooks: webhooks }, json);
}
