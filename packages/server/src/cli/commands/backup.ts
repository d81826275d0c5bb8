import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { printResult, say } from '../output.ts';
import { withSpinner } from '../progress.ts';
import { inSession } from '../session.ts';

/** `bursar backup`: a consistent copy, beside a busy server. */
export function backupCommand(): Command {
	return new Command('backup')
		.description('write a consistent copy of the store to a new file, also while the service runs')
		.argument('<file>', 'a file that does not exist yet')
		.addHelpText('after', '\nExample:\n  $ bursar backup /backups/bursar-2026-11-21.db\n')
		.action(async (file: string, options: { json?: boolean }) => {
			await inSession(({ store }) => withSpinner('copying the store', () => store.backup(file)));
			printResult({ file: resolve(file), bytes: statSync(file).size }, options.json);
			if (!options.json) say('The master key is not in it: keep a copy of that apart from this file.');
		});
}
