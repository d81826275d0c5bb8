import { readFileSync } from 'node:fs';
import { CommandError } from '@bursar/terminal';
import { parseEnvironmentFile } from './environment-file.ts';

// The installer and the Debian package agree on these. The unit names them too.
const PROGRAMS = /^\/usr\/(local\/)?lib\/bursar\//;
const SETTINGS = '/etc/bursar/bursar.env';
const DATA_DIR = '/var/lib/bursar';
const USER = 'bursar';

/** The types of Node lack it. */
type WithGroups = typeof process & { initgroups?(user: string, group: string): void };
type Environment = Record<string, string | undefined>;

/**
 * Lets an installed program work on the store of the installed service: it reads the settings of the service, and root
 * becomes the user of the service, who could not read what root makes. Does nothing if the environment names a store.
 */
export function useInstalledSettings(environment: Environment = process.env): void {
	if (!PROGRAMS.test(import.meta.dirname) || isStoreNamed(environment)) return;
	for (const [name, value] of Object.entries(installedSettings(SETTINGS))) environment[name] ??= value;
	if (process.getuid?.() !== 0) return;
	try {
		(process as WithGroups).initgroups?.(USER, USER);
		process.setgid?.(USER);
		process.setuid?.(USER);
	} catch (cause) {
		const why = `root cannot become the user ${USER} (${(cause as Error).message})`;
		throw new CommandError('not_permitted', `${why}: set BURSAR_DATA_DIR to work on another store`);
	}
}

/** Whether the environment says which store is meant. No new store is begun anywhere else than where it says. */
export function isStoreNamed({ BURSAR_DATA_DIR, BURSAR_DATABASE_URL }: Readonly<Environment>): boolean {
	return BURSAR_DATA_DIR !== undefined || BURSAR_DATABASE_URL !== undefined;
}

/** What the unit sets. The file may be missing. */
export function installedSettings(file: string): Readonly<Record<string, string>> {
	try {
		return { BURSAR_DATA_DIR: DATA_DIR, ...parseEnvironmentFile(readFileSync(file, 'utf8')) };
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return { BURSAR_DATA_DIR: DATA_DIR };
		if (code !== 'EACCES') throw cause;
		const what = `the settings of the service in ${file} are not for this user`;
		throw new CommandError('not_permitted', `${what}: run this with sudo, or set BURSAR_DATA_DIR for another store`);
	}
}
