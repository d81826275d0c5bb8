import { join, resolve } from 'node:path';
import { say, UsageError, withProgress } from '@bursar/terminal';
import { Command } from 'commander';
import { ConfigError, readConfig } from '../../config.ts';
import { moveStore, reopenStore } from '../../engine.ts';
import { type DatabaseUrl, parseDatabaseUrl } from '../../store/database-url.ts';
import { printResult } from '../output.ts';

interface CopyOptions {
	readonly from: string;
	readonly to?: string;
	readonly json?: boolean;
}

/** `bursar store ...` */
export function storeCommand(): Command {
	const store = new Command('store').description('Move a store from the embedded engine to PostgreSQL.');
	store.addHelpText(
		'after',
		'\nExample:\n  $ bursar store copy --from ./data --to postgres://bursar@db.example/bursar\n',
	);
	store
		.command('copy')
		.description('copy an embedded store into an empty PostgreSQL database, and mark it as moved')
		.requiredOption('--from <folder>', 'the data directory of the store; no service may use it')
		.option('--to <url>', 'the database, postgres://user@host:port/name (default: BURSAR_DATABASE_URL)')
		.addHelpText(
			'after',
			`
Everything is copied in one transaction, and compared before the commit. If anything fails, the database stays empty and
the store does not change. After the copy, the old store cannot be opened until "bursar store reopen". Tokens and proxy
auth keys stay valid: the new store has the same master key. Arguments can be seen in the list of processes, so set
the password with BURSAR_DATABASE_URL or PGPASSWORD.

Example:
  $ bursar store copy --from ./data --to postgres://bursar@db.example/bursar
`,
		)
		.action((options: CopyOptions) => copyStore(options));
	store
		.command('reopen')
		.description('remove the mark of a store that was moved, so that it can be served again')
		.argument('<folder>', 'the data directory of the store')
		.addHelpText('after', '\nExample:\n  $ bursar store reopen ./data\n')
		.action((folder: string, options: { json?: boolean }) => reopen(folder, options));
	return store;
}

async function copyStore({ from, to, json }: CopyOptions): Promise<void> {
	const dataDir = resolve(from);
	const databaseUrl = readTarget(to);
	// `readTarget` has read the database URL. Without it, `readConfig` does not ask for a master key.
	const { masterKey } = readConfig({ ...process.env, BURSAR_DATABASE_URL: undefined });
	if (!json && to !== undefined && hasPassword(databaseUrl)) {
		say('The password in --to can be seen in the list of processes: use BURSAR_DATABASE_URL or PGPASSWORD instead.');
	}
	const counts = await withProgress('copying the store', (progress) =>
		moveStore({ from: dataDir, to: databaseUrl, masterKey, onProgress: progress.update }),
	);
	const keyFile = masterKey ? null : join(dataDir, 'master.key');
	printResult(
		{ from: dataDir, to: databaseUrl.masked, ...counts, master_key_file: keyFile ?? (json ? null : '-') },
		json,
	);
	if (json) return;
	say(
		keyFile === null
			? 'The new store needs the same master key: set BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE for it.'
			: `The new store needs the same master key: set BURSAR_MASTER_KEY_FILE=${keyFile}, or use a copy of that file.`,
	);
	say(`The old store is marked as moved, and cannot be opened. To undo that: bursar store reopen ${dataDir}`);
}

/** If the URL is wrong, the error shows no part of it: it may contain a password. */
function readTarget(to: string | undefined): DatabaseUrl {
	const text = to ?? process.env.BURSAR_DATABASE_URL;
	if (text === undefined) {
		throw new UsageError('--to or BURSAR_DATABASE_URL is missing (see bursar store copy --help)');
	}
	try {
		return parseDatabaseUrl(text);
	} catch (cause) {
		const { message } = cause as Error;
		if (to === undefined) throw new ConfigError(`BURSAR_DATABASE_URL: ${message}`);
		throw new UsageError(`--to: ${message} (see bursar store copy --help)`);
	}
}

function hasPassword({ hostUrls }: DatabaseUrl): boolean {
	return hostUrls.some((url) => new URL(url).password !== '' || new URL(url).searchParams.has('password'));
}

async function reopen(folder: string, { json }: { json?: boolean }): Promise<void> {
	const dataDir = resolve(folder);
	const { movedAt, movedTo } = await reopenStore(dataDir);
	printResult({ reopened: dataDir, moved_at: movedAt, moved_to: movedTo }, json);
	if (!json) say(`The store can be served again. It has no changes that were made in ${movedTo} since the move.`);
}
