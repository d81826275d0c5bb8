import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { END_EDGE_LINKS } from '../../tables/people/writes.ts';
import { PAUSE_WEBHOOKS } from '../../tables/webhooks/webhooks.ts';
import type { Connection } from './connection.ts';

/**
 * Copies the database, as it is at one moment, to a new file. It reads one snapshot, so a busy writer cannot make it
 * start over. The file appears when it is complete. It has neither sessions nor links, and its webhooks are switched off. Throws an error with the code
 * EEXIST if the file exists.
 */
export function writeBackup(connection: Connection, file: string): void {
	const target = resolve(file);
	// A random name, because in a container a backup that was killed had the same process id as this one.
	const draft = `${target}.${randomUUID()}.partial`;
	// Created here, because a file that SQLite creates can be read by other users.
	closeSync(openSync(draft, 'wx', 0o600));
	try {
		connection.prepare('VACUUM INTO ?').run(draft);
		makeHarmless(draft);
		syncToDisk(draft);
		giveName(draft, target);
		syncToDisk(dirname(target));
	} catch (cause) {
		rmSync(draft, { force: true });
		throw cause;
	}
}

/**
 * A session that was ended, or a link that was used, must not come back with a restored backup. Counts of tries and used
 * challenges stay, because without them more would be possible. A copy that is served beside the store must not call the
 * receivers of its webhooks.
 */
function makeHarmless(draft: string): void {
	const copy = new Database(draft, { fileMustExist: true });
	try {
		// No file appears beside the draft. It is removed if anything fails.
		copy.pragma('journal_mode = MEMORY');
		copy.pragma('synchronous = OFF');
		// Overwrites what is deleted.
		copy.pragma('secure_delete = ON');
		copy.exec(`BEGIN; DELETE FROM sessions; DELETE FROM invitations; ${END_EDGE_LINKS}; ${PAUSE_WEBHOOKS}; COMMIT`);
	} finally {
		copy.close();
	}
}

/** Linking fails if the name is taken. If the file system has no links, the file is renamed. */
function giveName(draft: string, target: string): void {
	try {
		linkSync(draft, target);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw cause;
		if (existsSync(target)) throw Object.assign(new Error(`${target} exists`), { code: 'EEXIST' });
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
