import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CommandError, UsageError } from '@bursar/terminal';
import { type Holder, isVisible, mayBeAlive, type Place, placeHere } from './holder.ts';

/**
 * Makes sure that no other run works with this journal. What a run that was killed has left behind is
 * taken over. Returns what releases it; throws a `UsageError` where somebody holds it.
 */
export function lockJournal(journal: string): () => void {
	const path = `${journal}.lock`;
	const here = placeHere();
	const own: Holder = { ...here, pid: process.pid, id: randomBytes(8).toString('hex') };
	const unfinished = `${path}.${own.id}`;
	try {
		// A link appears with all that is in it: nobody ever finds a lock without its holder.
		writeFileSync(unfinished, JSON.stringify(own), { mode: 0o600 });
		if (!acquire(path, unfinished, here)) throw heldLock(path, here);
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError('journal_failed', `the journal could not be locked: ${(cause as Error).message}`);
	} finally {
		rmSync(unfinished, { force: true });
	}
	return () => {
		if (readHolder(path, here)?.id === own.id) rmSync(path);
	};
}

/**
 * A lock whose holder is dead is replaced, and is there all the time. Of those that find it dead, only the one
 * that holds the claim to it may do that; the claim is a lock as well, which may be taken over as well. Who gets
 * the claim looks again: nobody else can have replaced the lock after that look.
 */
function acquire(path: string, unfinished: string, here: Place): boolean {
	if (tryLink(unfinished, path)) return true;
	const holder = readHolder(path, here);
	if (holder === undefined) return tryLink(unfinished, path);
	if (mayBeAlive(holder, here)) return false;
	const claim = `${path}.${holder.id}.claim`;
	if (!acquire(claim, unfinished, here)) return false;
	if (readHolder(path, here)?.id !== holder.id) {
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
function readHolder(path: string, here: Place): Holder | undefined {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw cause;
	}
	return parseHolder(text) ?? { ...here, pid: 0, id: 'unreadable' };
}

/** `undefined` for what only a crash of the machine leaves. The id becomes part of a file name. */
function parseHolder(text: string): Holder | undefined {
	try {
		const holder = JSON.parse(text) as Holder;
		if (!Number.isSafeInteger(holder.pid) || typeof holder.host !== 'string') return undefined;
		return { ...holder, id: /^[0-9a-f]{16}$/.test(holder.id) ? holder.id : 'unreadable' };
	} catch {
		return undefined;
	}
}

function heldLock(path: string, here: Place): UsageError {
	const holder = readHolder(path, here);
	const unseen =
		holder && !isVisible(holder, here) ? ', in a container or on a machine that cannot be seen from here' : '';
	const who = holder ? ` (process ${holder.pid} on ${holder.host}${unseen})` : '';
	return new UsageError(
		`another bursarctl is working with this journal${who}. Only if you are sure that it has ended, remove ${path}. Nothing was sent`,
		'journal_in_use',
	);
}
