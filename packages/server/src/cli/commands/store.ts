import { join, resolve } from 'node:path';
import { say, UsageError, withProgress } from '@bursar/terminal';
import type { Command } from 'commander';
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
export function storeCommand(store: Command): void {
	store.addHelpText(
		'after',
		'\nExample:\n  $ bursar store copy --from ./data --to postgres://bursar@db.example/bursar\n',
	);
	store
		.command('copy')
		.description('copy an embedded store into an empty PostgreSQL database, and mark it as moved')
		.requiredOption('--from <folder>', 'the data directory of the store; no service may run on it')
		.option('--to <url>', 'the database, postgres://user@host:port/name (default: BURSAR_DATABASE_URL)')
		.addHelpText(
			'after',
			`
Everything is copied in one transaction and compared before it is committed: on any failure the database stays
empty, and the store as it was. Afterwards nothing opens the store until "bursar store reopen". Tokens and proxy auth
keys go on working: the new store has the master key of the old one. Arguments are seen in the list of processes, so
give the password with BURSAR_DATABASE_URL or PGPASSWORD.

Example:
  $ bursar store copy --from ./data --to postgres://bursar@db.example/bursar
`,
		)
		.action((options: CopyOptions) => copyStore(options));
	store
		.command('reopen')
		.description('take away the mark of a store that was moved, so that it can be served again')
		.argument('<folder>', 'the data directory of the store')
		.addHelpText('after', '\nExample:\n  $ bursar store reopen ./data\n')
		.action((folder: string, options: { json?: boolean }) => reopen(folder, options));
}

async function copyStore({ from, to, json }: CopyOptions): Promise<void> {
	const dataDir = resolve(from);
	const databaseUrl = readTarget(to);
	// The database is read by us: here it may stand without a master key, because the store has one.
	const { masterKey } = readConfig({ ...process.env, BURSAR_DATABASE_URL: undefined });
	if (!json && to !== undefined && hasPassword(databaseUrl)) {
		say('The password in --to can be seen in the list of processes: BURSAR_DATABASE_URL or PGPASSWORD would hide it.');
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
			? 'The new store needs the master key that was given here: set BURSAR_MASTER_KEY or BURSAR_MASTER_KEY_FILE for it.'
			: `The new store needs the master key of the old one: BURSAR_MASTER_KEY_FILE=${keyFile}, or a copy of that file.`,
	);
	say(`The old store is marked as moved, and does not open. What takes that back: bursar store reopen ${dataDir}`);
}

/** A wrong one is told without any part of it: there may be a password in it. */
function readTarget(to: string | undefined): DatabaseUrl {
	const text = to ?? process.env.BURSAR_DATABASE_URL;
	if (text === undefined) {
		throw new UsageError('--to or BURSAR_DATABASE_URL is missing (see bursar --help)');
	}
	try {
		return parseDatabaseUrl(text);
	} catch (cause) {
		const { message } = cause as Error;
		if (to === undefined) throw new ConfigError(`BURSAR_DATABASE_URL: ${message}`);
		throw new UsageError(`--to: ${message} (see bursar --help)`);
	}
}

function hasPassword({ hostUrls }: DatabaseUrl): boolean {
	return hostUrls.some((url) => new URL(url).password !== '' || new URL(url).searchParams.has('password'));
}

async function reopen(folder: string, { json }: { json?: boolean }): Promise<void> {
	const dataDir = resolve(folder);
	const { movedAt, movedTo } = await reopenStore(dataDir);
	printResult({ reopened: dataDir, moved_at: movedAt, moved_to: movedTo }, json);
	if (!json) say(`The store can be served again. What was done in ${movedTo} since then is not in it.`);
}
