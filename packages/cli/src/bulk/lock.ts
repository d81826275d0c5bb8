import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { CommandError, UsageError } from '../failure.ts';

/** Who holds a lock. */
interface Holder {
	readonly pid: number;
	readonly host: string;
}

/**
 * Makes sure that no other run works with this journal. What a run that was killed has left behind is
 * taken away. Returns what releases it; throws a `UsageError` where somebody holds it.
 */
export function lockJournal(journal: string): () => void {
	const path = `${journal}.lock`;
	const own: Holder = { pid: process.pid, host: hostname() };
	const unfinished = `${path}.${own.host}.${own.pid}`;
	try {
		// A link appears with all that is in it: nobody ever finds a lock without its holder.
		writeFileSync(unfinished, JSON.stringify(own), { mode: 0o600 });
		if (!tryLink(unfinished, path)) {
			removeStale(path);
			if (!tryLink(unfinished, path)) throw heldLock(path);
		}
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError('journal_failed', `the journal could not be locked: ${(cause as Error).message}`);
	} finally {
		rmSync(unfinished, { force: true });
	}
	return () => rmSync(path, { force: true });
}

function tryLink(from: string, to: string): boolean {
	try {
		linkSync(from, to);
		return true;
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw cause;
	}
}

/** Moved before it is removed, and looked at again then: another run may have taken it over in between. */
function removeStale(path: string): void {
	if (isHeld(readHolder(path))) throw heldLock(path);
	const moved = `${path}.${process.pid}.stale`;
	try {
		renameSync(path, moved);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
		throw cause;
	}
	const isWrong = isHeld(readHolder(moved));
	if (isWrong) tryLink(moved, path);
	rmSync(moved);
	if (isWrong) throw heldLock(path);
}

function readHolder(path: string): Holder | undefined {
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as Holder;
	} catch {
		return undefined;
	}
}

/** Processes of other machines cannot be seen: their locks are believed. */
function isHeld(holder: Holder | undefined): boolean {
	if (holder === undefined) return false;
	if (holder.host !== hostname()) return true;
	if (holder.pid === process.pid) return false;
	try {
		process.kill(holder.pid, 0);
		return true;
	} catch (cause) {
		return (cause as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function heldLock(path: string): UsageError {
	return new UsageError(
		`another bursarctl is working with this journal; if none is, remove ${path}. Nothing was sent`,
		'journal_in_use',
	);
}
