import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Connection } from './connection.ts';

/**
 * Copies the whole database, as it is at one moment, to a new file. One snapshot is read from start
 * to end, so a busy writer beside it cannot make it start over. The file appears when it is complete.
 */
export function writeBackup(connection: Connection, file: string): void {
	const target = resolve(file);
	if (existsSync(target)) throw new Error(`${target} exists already: a backup never overwrites`);
	// A name of its own: in a container, a backup that was killed had the same process id as this one.
	const draft = `${target}.${randomUUID()}.partial`;
	// Made empty first, because SQLite would let everybody read a file of its own making.
	closeSync(openSync(draft, 'wx', 0o600));
	try {
		connection.prepare('VACUUM INTO ?').run(draft);
		syncToDisk(draft);
		giveName(draft, target);
		syncToDisk(dirname(target));
	} catch (cause) {
		rmSync(draft, { force: true });
		throw cause;
	}
}

/** Unlike renaming, linking fails where a file of that name has appeared meanwhile; not every file system can. */
function giveName(draft: string, target: string): void {
	try {
		linkSync(draft, target);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw cause;
		renameSync(draft, target);
		return;
	}
	unlinkSync(draft);
}

function syncToDisk(path: string): void {
	const descriptor = openSync(path, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
