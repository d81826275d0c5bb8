import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Makes a folder that belongs to the server's user. */
export async function serverFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bursar-postgres-server-'));
	await own(folder);
	return folder;
}

/** Writes a file that belongs to the server's user. */
export async function writeOwned(path: string, text: string): Promise<void> {
	await writeFile(path, text, { mode: 0o600 });
	await own(path);
}

/** Gives a file or folder to the user who runs the server. */
export async function own(path: string): Promise<void> {
	const { uid, gid } = serverUser();
	if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

/** Runs a program to its end. The error has its output. */
export async function runAsServer(program: string, folder: string, args: string[]) {
	await promisify(execFile)(program, args, processOptions(folder));
}

/** The options of a server process. It gets no variables of the caller, which may name another server. */
export function processOptions(folder: string) {
	return { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, ...serverUser() };
}

/** PostgreSQL refuses to run as root. If we are root, `nobody` runs it. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
	if (process.getuid?.() !== 0) return {};
	const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
	if (uid === undefined) throw new Error('root needs a user `nobody` to run PostgreSQL as');
	return { uid: Number(uid), gid: Number(gid) };
}
