import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandError, UsageError } from '@bursar/terminal';

/** Where a reseller's service is, and the reseller's token. */
export interface Profile {
	readonly url: string;
	/** A secret. It is sent only to `url`. */
	readonly token: string;
}

export const DEFAULT_PROFILE = 'default';

/** @bound A profile: a larger file is no profile. */
const MOST_BYTES = 64 * 1024;
const ENDING = '.json';
const OPEN_TO_OTHERS = 0o077;

/** Lowercase letters only, because some file systems do not tell them from others. */
export function isProfileName(name: string): boolean {
	return /^[a-z0-9][a-z0-9._-]{0,31}$/.test(name);
}

/** The profile, or `undefined` if there is none. Throws a `UsageError` if others can read its file, or if it is damaged. */
export function readProfile(name: string): Profile | undefined {
	const path = fileOf(name);
	const text = readPrivately(path);
	if (text === undefined) return undefined;
	const profile = parsed(text);
	if (profile !== undefined) return profile;
	throw new UsageError(`${path} is not a profile of bursarctl. Log in again to replace it`, 'invalid_profile');
}

/** Writes the profile durably, so that only this user can read it. Replaces an older one. */
export async function writeProfile(name: string, { url, token }: Profile): Promise<void> {
	const path = fileOf(name);
	// A new file, because an existing one could be open to others.
	const unfinished = join(dirname(path), `.${randomUUID()}`);
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		const file = await open(unfinished, 'wx', 0o600);
		try {
			await file.writeFile(`${JSON.stringify({ url, token }, null, '\t')}\n`);
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(unfinished, path);
	} catch (cause) {
		await rm(unfinished, { force: true }).catch(() => {});
		const { code } = cause as NodeJS.ErrnoException;
		throw new CommandError('profile_failed', `the profile could not be written to ${path} (${code})`);
	}
}

/** Returns whether there was such a profile. */
export function removeProfile(name: string): boolean {
	const path = fileOf(name);
	try {
		rmSync(path);
		return true;
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return false;
		throw new CommandError('profile_failed', `${path} could not be removed (${code})`);
	}
}

/** The names of all profiles, in order. */
export function profileNames(): string[] {
	try {
		const files = readdirSync(folder()).filter((file) => file.endsWith(ENDING));
		return files
			.map((file) => file.slice(0, -ENDING.length))
			.filter(isProfileName)
			.sort();
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return [];
		throw new CommandError('profile_failed', `${folder()} cannot be read (${code})`);
	}
}

function fileOf(name: string): string {
	return join(folder(), name + ENDING);
}

/** Below the user's folder of configuration. The XDG standard says to ignore a path that is not absolute. */
function folder(): string {
	const given = process.env.XDG_CONFIG_HOME;
	const base = given && isAbsolute(given) ? given : join(homedir(), '.config');
	return join(base, 'bursarctl', 'profiles');
}

/** Looks at the open file, so that no other file can replace it between the look and the reading. */
function readPrivately(path: string): string | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(path, 'r');
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return undefined;
		throw new UsageError(`${path} cannot be read (${code})`, 'unreadable_file');
	}
	try {
		const stat = fstatSync(descriptor);
		const user = process.getuid?.();
		if (!stat.isFile() || stat.size > MOST_BYTES) return '';
		// Windows has no such owners and modes.
		if (user !== undefined && (stat.uid !== user || (stat.mode & OPEN_TO_OTHERS) !== 0)) {
			const why = stat.uid === user ? 'others on this machine can read or change it' : 'it belongs to another user';
			throw new UsageError(
				`the profile ${path} is not used, because ${why}. If they may have read the token, rotate it; then log in again`,
				'open_profile',
			);
		}
		return readFileSync(descriptor, 'utf8');
	} finally {
		closeSync(descriptor);
	}
}

function parsed(text: string): Profile | undefined {
	try {
		const { url, token } = JSON.parse(text) as Partial<Profile>;
		return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined;
	} catch {
		return undefined;
	}
}
