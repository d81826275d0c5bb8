import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { page } from '@bursar/terminal';
import { migrationsFolder } from '../../../installation.ts';
import {
	examineEntries,
	examineMasterKey,
	type Finding,
	type StoreExamination,
	schemaFinding,
} from '../../examination.ts';
import { KEY_FILE, readMasterKey, readMasterKeyCheck } from '../../secrets/master-key.ts';
import { sqliteReader } from '../reading/reading.ts';
import { assertOwnLog, type Connection, DATABASE_NAME, openReader } from './connection.ts';
import { appliedMigrations, hasMigrations } from './migrate.ts';
import { readMovedMark } from './moved-mark.ts';
import { findServer } from './serving-lock.ts';

/** A larger file is not read from its beginning to its end, in bytes. */
const MOST_CHECKED_BYTES = 64 * 2 ** 20;

/** Looks at the embedded store in a folder, on a connection that can only read. Beside a service it waits for nothing. */
export async function examineSqliteStore(dataDir: string, given: Uint8Array | undefined): Promise<StoreExamination> {
	const file = join(dataDir, DATABASE_NAME);
	if (!existsSync(file)) {
		const text = `There is no store in ${dataDir} yet, or this user may not look into the folder.`;
		const remedy = 'If there should be one, correct BURSAR_DATA_DIR, and run this as the user of the service.';
		return {
			store: [{ state: 'warning', text, remedy }],
			masterKey: [{ state: 'skipped', text: 'There is no store that a master key could open.' }],
		};
	}
	const servedBy = findServer(file);
	let connection: Connection | undefined;
	try {
		assertOwnLog(file);
		connection = openReader(file);
		return { ...(await examine(connection, dataDir, given)), servedBy };
	} catch (cause) {
		const text = `The store cannot be read: ${(cause as Error).message}.`;
		const remedy = `Look at the disk, and at the owner of the files: ${page('docs/operating/trouble.md')}`;
		return {
			store: [{ state: 'problem', text, remedy }],
			masterKey: [{ state: 'skipped', text: 'The store cannot be read.' }],
			servedBy,
		};
	} finally {
		connection?.close();
	}
}

async function examine(
	connection: Connection,
	dataDir: string,
	given: Uint8Array | undefined,
): Promise<StoreExamination> {
	if (!hasMigrations(connection)) {
		return {
			store: [{ state: 'warning', text: 'The store was not begun yet: it has no tables.' }],
			masterKey: [{ state: 'skipped', text: 'There is no store that a master key could open.' }],
		};
	}
	const schema = schemaFinding(migrationsFolder('sqlite'), appliedMigrations(connection));
	const mark = readMovedMark(connection);
	const moved: Finding[] = [];
	if (mark) {
		const text = `The store was moved to the database ${mark.movedTo} at ${mark.movedAt}, and cannot be served.`;
		const how = page('docs/operating/postgresql.md', 'Move an embedded store');
		const remedy = `Set BURSAR_DATABASE_URL, or run bursar store reopen ${dataDir}: ${how}`;
		moved.push({ state: 'problem', text, remedy });
	}
	const reader = sqliteReader(connection);
	return {
		store: [schema, ...moved, fileFinding(connection, join(dataDir, DATABASE_NAME))],
		...examineKeyOf(dataDir, given, await readMasterKeyCheck(reader.read)),
		...(schema.state === 'ok' && (await examineEntries(reader))),
	};
}

function fileFinding(connection: Connection, file: string): Finding {
	const bytes = statSync(file).size;
	const journal = connection.pragma('journal_mode', { simple: true });
	// A backup that was restored has no log before it is served.
	const opened = `SQLite ${connection.prepare('SELECT sqlite_version()').pluck().get()}, journal ${journal}`;
	if (bytes > MOST_CHECKED_BYTES) {
		return { state: 'ok', text: `The database file can be read (${opened}). It is too large to check all of it here.` };
	}
	const problem = connection.pragma('quick_check(1)', { simple: true });
	if (problem === 'ok') return { state: 'ok', text: `The database file is in order (${opened}).` };
	return {
		state: 'problem',
		text: `The database file is damaged: ${problem}.`,
		remedy: `Stop the service, keep the files, and restore a backup: ${page('docs/operating/backup-and-restore.md', 'Restore the embedded store')}`,
	};
}

function examineKeyOf(dataDir: string, given: Uint8Array | undefined, check: string | undefined) {
	if (given) return examineMasterKey(given, check);
	const file = join(dataDir, KEY_FILE);
	try {
		const { masterKey: findings, ...rest } = examineMasterKey(readMasterKey(file, file), check);
		const reminder: Finding = {
			state: 'ok',
			text: `The master key is in ${file}, beside the store. Keep a copy of it elsewhere, apart from the backups.`,
		};
		return { masterKey: [...findings, reminder], ...rest };
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		const why = code === undefined ? 'does not hold a master key' : `cannot be read (${code})`;
		const remedy = `Put back your copy of the key, or set BURSAR_MASTER_KEY_FILE: ${page('docs/operating/master-key.md')}`;
		const isNew = check === undefined && code === 'ENOENT';
		const finding: Finding = isNew
			? { state: 'skipped', text: 'The store was not begun yet, so no master key belongs to it.' }
			: { state: 'problem', text: `The master key of the store is missing: ${file} ${why}.`, remedy };
		return { masterKey: [finding] };
	}
}
