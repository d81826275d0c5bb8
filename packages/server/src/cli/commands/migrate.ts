import { Command } from 'commander';
import { printResult } from '../output.ts';
import { inSession } from '../session.ts';

/** `bursar migrate`: opens the store, which applies missing migrations, and does nothing else. */
export function migrateCommand(): Command {
	const command = new Command('migrate').description(
		'bring the schema of the store up to date (bursar serve does this too)',
	);
	command.addHelpText('after', '\nExample:\n  $ bursar migrate\n').action(async (options: { json?: boolean }) => {
		const applied = await inSession(async ({ store }) => store.appliedMigrations, {
			mayCreate: true,
			mayMigrate: true,
		});
		printResult({ applied: options.json ? applied : applied.join(', ') || 'none were missing' }, options.json);
	});
	return command;
}
