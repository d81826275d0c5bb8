import { Command } from 'commander';
import { maskedConfig, readConfig } from '../../config.ts';
import { printResult } from '../output.ts';

/** `bursar config ...` */
export function configCommand(): Command {
	const config = new Command('config').description('Show the configuration.');
	config.addHelpText('after', '\nExample:\n  $ bursar config print\n');
	config
		.command('print')
		.description('print the configuration from the environment, with secrets masked')
		.addHelpText('after', '\nExample:\n  $ BURSAR_PORT=9000 bursar config print\n')
		.action((options: { json?: boolean }) => printResult(maskedConfig(readConfig(process.env)), options.json));
	return config;
}
