import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { lstat, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresInstallation } from './postgres-installation.ts';
import { runAsServer, serverFolder, serverUser, writeOwned } from './postgres-user.ts';

const DAY_MS = 86_400_000;

/**
 * Puts a new data folder into a server's folder, and returns its superuser's password. It is a copy, because initdb
 * takes much longer: the first call for an installation makes the original, which stays in the folder for temporary
 * files.
 */
export async function newCluster(installation: PostgresInstallation, folder: string): Promise<string> {
	const original = await originalCluster(installation);
	await runAsServer('cp', folder, ['-R', '-p', join(original, 'data'), join(folder, 'data')]);
	return readFile(join(original, 'password'), 'utf8');
}

async function originalCluster(installation: PostgresInstallation): Promise<string> {
	const { uid = process.getuid?.() } = serverUser();
	const programs = createHash('sha256').update(installation.binFolder).digest('hex').slice(0, 16);
	const original = join(tmpdir(), `bursar-postgres-data-${programs}-${uid}`);
	if (!isFresh(original)) {
		await rm(original, { recursive: true, force: true });
		const draft = await serverFolder();
		try {
			await initialise(installation, draft);
			await rename(draft, original);
		} catch (error) {
			await rm(draft, { recursive: true });
			// Another test process may have been first.
			if (!isFresh(original)) throw error;
		}
	}
	// Another user could have made a folder of this name, and we use its password.
	if ((await lstat(original)).uid !== uid) throw new Error(`${original} belongs to another user`);
	return original;
}

/** Whether it is of the last day: systems remove old files of temporary folders, one by one. */
function isFresh(original: string): boolean {
	const made = statSync(join(original, 'password'), { throwIfNoEntry: false });
	return made !== undefined && Date.now() - made.mtimeMs < DAY_MS;
}

async function initialise({ binFolder }: PostgresInstallation, folder: string): Promise<void> {
	const password = randomBytes(16).toString('hex');
	const passwordFile = join(folder, 'stored-password');
	await writeOwned(join(folder, 'password'), password);
	await writeOwned(passwordFile, storedPassword(password));
	await runAsServer(join(binFolder, 'initdb'), folder, [
		`--pgdata=${join(folder, 'data')}`,
		'--username=postgres',
		`--pwfile=${passwordFile}`,
		'--auth=scram-sha-256',
		'--encoding=UTF8',
		'--no-locale',
		'--no-sync',
	]);
}

/**
 * The form in which PostgreSQL stores a password, and takes one. It has a single iteration, not 4,096, because tests
 * open thousands of connections.
 */
export function storedPassword(password: string): string {
	const salt = randomBytes(16);
	const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256');
	const keyFor = (use: string) => createHmac('sha256', salted).update(use).digest();
	const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
	return `SCRAM-SHA-256$1:${salt.toString('base64')}$${storedKey}:${keyFor('Server Key').toString('base64')}`;
}
