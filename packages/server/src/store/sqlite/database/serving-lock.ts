import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { CopyError } from '../../copying/copy-error.ts';
import { isBusy } from './busy.ts';
import { createPrivately, LOCK_WAIT_MS } from './connection.ts';

/** An empty database, whose lock the service holds. The system gives the lock up when the process ends in any way. */
const LOCK_NAME = 'bursar.serving';
/** Says who holds the lock, as a hint. Without the lock it means nothing, and on a full disk it cannot be written. */
const HOLDER_NAME = 'bursar.pid';

/** The lock of the one service on an embedded store. */
export interface ServingLock {
	release(): void;
}

/** Takes the lock of the store with this database file. Throws `CopyError` if another service holds it. */
export function takeServingLock(databaseFile: string): ServingLock {
	const folder = dirname(databaseFile);
	const file = join(folder, LOCK_NAME);
	const holderFile = join(folder, HOLDER_NAME);
	createPrivately(file);
	const lock = new Database(file, { timeout: LOCK_WAIT_MS });
	try {
		// Nothing is ever written to it, so it needs no journal beside it.
		lock.pragma('journal_mode = MEMORY');
		lock.exec('BEGIN IMMEDIATE');
	} catch (cause) {
		lock.close();
		if (!isBusy(cause)) throw new Error(`${file}: ${(cause as Error).message}`, { cause });
		const holder = unlessItFails(() => readFileSync(holderFile, 'utf8').trim());
		const who = holder ? `: ${holder}` : '';
		throw new CopyError('store_in_use', `a service already serves the store in ${folder}${who}. Stop it first`);
	}
	unlessItFails(() => writeFileSync(holderFile, `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 }));
	return {
		release() {
			unlessItFails(() => rmSync(holderFile, { force: true }));
			lock.close();
		},
	};
}

/** The process that serves the store with this database file, as it calls itself; `undefined` if none does. */
export function findServer(databaseFile: string): string | undefined {
	const folder = dirname(databaseFile);
	const file = join(folder, LOCK_NAME);
	if (!existsSync(file)) return undefined;
	const lock = new Database(file, { fileMustExist: true, timeout: 0 });
	try {
		lock.pragma('journal_mode = MEMORY');
		// Held for less time than a service that starts waits for it. Nothing is written.
		lock.exec('BEGIN IMMEDIATE; ROLLBACK');
		return undefined;
	} catch (cause) {
		if (!isBusy(cause)) throw cause;
		return unlessItFails(() => readFileSync(join(folder, HOLDER_NAME), 'utf8').trim()) || 'an unknown process';
	} finally {
		lock.close();
	}
}

function unlessItFails<Result>(work: () => Result): Result | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
