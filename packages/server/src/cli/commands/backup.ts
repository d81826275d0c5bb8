import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError, page, say, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { printResult } from '../output.ts';
import { inSession } from '../session.ts';

/** PostgreSQL's own tools can also restore any moment. A weaker kind of backup beside them would look as good. */
const NOT_SUPPORTED = `back up a PostgreSQL store with PostgreSQL's own tools: see ${page('docs/operating/backup-and-restore.md', 'Back up PostgreSQL')}`;

/** `bursar backup`: a consistent copy, even while the service runs. */
export function backupCommand(): Command {
	const command = new Command('backup').description(
		'write a consistent copy of the store to a new file, even while the service runs',
	);
	command
		.argument('<file>', 'a file that does not exist yet')
		.addHelpText('after', '\nExample:\n  $ bursar backup /backups/bursar-2026-11-21.db\n')
		.action(async (file: string, options: { json?: boolean }) => {
			const target = resolve(file);
			if (existsSync(target)) throw existsAlready(target);
			if (!existsSync(dirname(target))) {
				throw new CommandError('no_such_folder', `the folder ${dirname(target)} does not exist: create it first`);
			}
			const kept = await inSession(async ({ store: { backup, nowMs }, bank }) => {
				if (backup === undefined) throw new CommandError('not_supported', NOT_SUPPORTED);
				const beganAtMs = nowMs();
				await withProgress('copying the store', () => backup(target)).catch((cause: NodeJS.ErrnoException) => {
					// Another backup was given this name while this one was made.
					throw cause.code === 'EEXIST' ? existsAlready(target) : cause;
				});
				return bank.keep({ kind: 'backup_made', beganAtMs });
			});
			printResult({ file: target, bytes: statSync(target).size }, options.json);
			if (!kept.ok) say('The metrics do not count this backup, because it could not be noted in the store.');
			if (!options.json) say('The backup does not contain the master key: keep a copy of the key in another place.');
		});
	return command;
}

function existsAlready(target: string): CommandError {
	return new CommandError('file_exists', `${target} exists already: a backup never overwrites a file`);
}
