import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { eventually } from '@bursar/testing/eventually';
import type { PostgresInstallation } from '@bursar/testing/postgres-installation';
import { openServer, type PostgresServer, query, SERVER_LIMIT_MS, serverFolder } from '@bursar/testing/postgres-server';
import { own, runAsServer, writeOwned } from '@bursar/testing/postgres-user';
import pg from 'pg';

export interface PostgresStandby extends PostgresServer {
	/** Resolves when it takes writes. */
	promote(): Promise<void>;
}

const STANDBY_NAME = 'standby1';
/** What a server makes anew for itself, or takes from its primary. The folders stay, empty. */
const NOT_COPIED =
	/^(?:postmaster\.(?:pid|opts)|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*)$/;

/** Makes the data folder of a standby out of that of a running primary. */
export type CopyData = (primary: PostgresServer, installation: PostgresInstallation, folder: string) => Promise<void>;

/** Has `pg_basebackup` copy it, which Debian's installation has and the embedded one has not. */
export const baseBackup: CopyData = async (primary, installation, folder) => {
	await runAsServer(installation, folder, 'pg_basebackup', [
		`--dbname=${primary.url()}`,
		`--pgdata=${join(folder, 'data')}`,
		'--wal-method=stream',
		'--checkpoint=fast',
		'--no-sync',
	]);
};

/** Copies the files between `pg_backup_start` and `pg_backup_stop`, while the primary goes on. */
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
 * A streaming standby, named `standby1`, of a server of the same installation. Resolves when it streams; on that port
 * where one is given. It has the primary's settings, but waits for no standby itself once promoted.
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
	const standby = await openServer({ installation, folder, password, settings, port }, async () => {
		await copyData(primary, installation, folder);
		await writeOwned(join(folder, 'data', 'standby.signal'), '');
	});
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
			// A folder may come behind what is in it.
			if (entry.isDirectory()) await mkdir(copy, { recursive: true, mode: 0o700 });
			else {
				await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
				await copyFile(join(source, path), copy);
			}
			await own(copy);
		} catch (error) {
			// The server has removed it meanwhile.
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		}
	}
}
