import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { eventually } from '@bursar/testing/eventually';
import type { PostgresInstallation } from '@bursar/testing/postgres-installation';
import { openServer, type PostgresServer, query, SERVER_LIMIT_MS } from '@bursar/testing/postgres-server';
import { own, runAsServer, serverFolder, writeOwned } from '@bursar/testing/postgres-user';
import pg from 'pg';

export interface PostgresStandby extends PostgresServer {
	/** Resolves when the server accepts writes. */
	promote(): Promise<void>;
}

const STANDBY_NAME = 'standby1';
/** Files that a server creates itself or gets from its primary. Their folders are copied empty. */
const NOT_COPIED =
	/^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*)$/;

/** Copies the data folder of a running primary for a standby. */
export type CopyData = (primary: PostgresServer, installation: PostgresInstallation, folder: string) => Promise<void>;

/** Uses `pg_basebackup`. Debian's installation has it; the embedded one does not. */
export const baseBackup: CopyData = async (primary, installation, folder) => {
	await runAsServer(join(installation.binFolder, 'pg_basebackup'), folder, [
		`--dbname=${primary.url()}`,
		`--pgdata=${join(folder, 'data')}`,
		'--wal-method=stream',
		'--checkpoint=fast',
		'--no-sync',
	]);
};

/** Copies the files between `pg_backup_start` and `pg_backup_stop`, while the primary runs. */
export const fileCopy: CopyData = async (primary, _installation, folder) => {
	const client = new pg.Client({ connectionString: primary.url() });
	await client.connect();
	try {
		await client.query("SELECT pg_backup_start('standby', fast => true)");
		await copyFiles(join(primary.folder, 'data'), join(folder, 'data'));
		const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)');
		await writeOwned(join(folder, 'data', 'backup_label'), rows[0].labelfile);
	} finally {
		await client.end();
	}
};

/**
 * Starts a streaming standby named `standby1`. Resolves when it streams. It has the primary's settings, but does not
 * wait for a standby of its own after a promotion.
 */
export async function startStandby(
	primary: PostgresServer,
	{
		installation,
		copyData,
		port,
	}: { installation: PostgresInstallation; copyData: CopyData; port?: number | undefined },
): Promise<PostgresStandby> {
	const folder = await serverFolder();
	const settings = {
		...primary.settings,
		synchronous_standby_names: '',
		primary_conninfo: `${primary.url()}?application_name=${STANDBY_NAME}`,
	};
	const { password } = new URL(primary.url());
	try {
		await copyData(primary, installation, folder);
		await writeOwned(join(folder, 'data', 'standby.signal'), '');
	} catch (error) {
		await rm(folder, { recursive: true });
		throw error;
	}
	const standby = await openServer({ installation, folder, password, settings, port });
	try {
		await eventually(async () => {
			const streaming = `application_name = '${STANDBY_NAME}' AND state = 'streaming'`;
			const [row] = await query(primary.url(), `SELECT FROM pg_stat_replication WHERE ${streaming}`);
			if (!row) throw new Error('the standby does not stream');
		}, SERVER_LIMIT_MS);
	} catch (error) {
		await standby.remove();
		throw error;
	}
	return Object.assign(standby, {
		async promote() {
			const [row] = await query(standby.url(), 'SELECT pg_promote() AS promoted');
			if (!row?.promoted) throw new Error('the standby was not promoted in time');
		},
	});
}

async function copyFiles(source: string, target: string): Promise<void> {
	await mkdir(target, { mode: 0o700 });
	await own(target);
	for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
		const path = relative(source, join(entry.parentPath, entry.name));
		if (NOT_COPIED.test(path)) continue;
		const copy = join(target, path);
		try {
			// A file may come before its folder.
			if (entry.isDirectory()) await mkdir(copy, { recursive: true, mode: 0o700 });
			else {
				await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
				await copyFile(join(source, path), copy);
			}
			await own(copy);
		} catch (error) {
			// The server has removed the file meanwhile.
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		}
	}
}
