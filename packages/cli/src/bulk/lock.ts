import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { CommandError, UsageError } from '../failure.ts';

/** Who holds a lock. */
interface Holder {
	readonly pid: number;
	readonly host: string;
	/** Random: a process of the same number is not the same holder. */
	readonly id: string;
}

/**
 * Makes sure that no other run works with this journal. What a run that was killed has left behind is
 * taken over. Returns what releases it; throws a `UsageError` where somebody holds it.
 */
export function lockJournal(journal: string): () => void {
	const path = `${journal}.lock`;
	const own: Holder = { pid: process.pid, host: hostname(), id: randomBytes(8).toString('hex') };
	const unfinished = `${path}.${own.id}`;
	try {
		// A link appears with all that is in it: nobody ever finds a lock without its holder.
		writeFileSync(unfinished, JSON.stringify(own), { mode: 0o600 });
		if (!acquire(path, unfinished)) throw heldLock(path);
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError('journal_failed', `the journal could not be locked: ${(cause as Error).message}`);
	} finally {
		rmSync(unfinished, { force: true });
	}
	return () => {
		if (readHolder(path)?.id === own.id) rmSync(path);
	};
}

/**
 * A lock whose holder is dead is replaced, and is there all the time. Of those that find it dead, only the one
 * that holds the claim to it may do that; the claim is a lock as well, which may be taken over as well. Who gets
 * the claim looks again: nobody else can have replaced the lock after that look.
 */
function acquire(path: string, unfinished: string): boolean {
	if (tryLink(unfinished, path)) return true;
	const holder = readHolder(path);
	if (holder === undefined) return tryLink(unfinished, path);
	if (isHeld(holder)) return false;
	const claim = `${path}.${holder.id}.claim`;
	if (!acquire(claim, unfinished)) return false;
	if (readHolder(path)?.id !== holder.id) {
		rmSync(claim);
		return false;
	}
	// The claim itself becomes the lock, in one step.
	renameSync(claim, path);
	return true;
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

/** `undefined` where there is no lock. Throws where it cannot be read: it may be that of another user. */
function readHolder(path: string): Holder | undefined {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw cause;
	}
	return parseHolder(text) ?? { pid: 0, host: hostname(), id: 'unreadable' };
}

/** `undefined` for what only a crash of the machine leaves. The id becomes part of a file name. */
function parseHolder(text: string): Holder | undefined {
	try {
		const { pid, host, id } = JSON.parse(text) as Holder;
		if (!Number.isSafeInteger(pid) || typeof host !== 'string') return undefined;
		return { pid, host, id: /^[0-9a-f]{16}$/.test(id) ? id : 'unreadable' };
	} catch {
		return undefined;
	}
}

/** Processes of other machines cannot be seen: their locks are believed. */
function isHeld({ host, pid }: Holder): boolean {
	if (host !== hostname()) return true;
	// Our own number: a run before this one had it. We have no lock yet.
	if (pid <= 0 || pid === process.pid) return false;
	try {
		process.kill(pid, 0);
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
