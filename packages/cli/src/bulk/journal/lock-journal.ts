import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CommandError, readBoundedFile, UsageError } from '@bursar/terminal';
import { refuseIrregular } from '../files/regular-file.ts';
import { currentPidScope, type Holder, isInScope, mayBeAlive, ownHolder, type PidScope } from './lock-holder.ts';

/** @bound The lock of a journal: what is larger is no lock. */
const MOST_LOCK_BYTES = 4096;

/**
 * Makes sure that no other run uses this journal. Takes over the lock of a run that was killed. Returns a function that
 * releases the lock. Throws a `UsageError` if another run holds it.
 */
export function lockJournal(journal: string): () => void {
	const path = `${journal}.lock`;
	const scope = currentPidScope();
	const own = ownHolder(scope, randomBytes(8).toString('hex'));
	const unfinished = `${path}.${own.id}`;
	try {
		// A lock next to a device or a folder would only hide what is wrong.
		refuseIrregular(journal);
		// A link appears with its whole content, so no run ever reads a lock without its holder.
		writeFileSync(unfinished, JSON.stringify(own), { mode: 0o600 });
		if (!acquire(path, unfinished, scope)) throw heldLock(path, scope);
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError('journal_failed', `the journal could not be locked: ${(cause as Error).message}`);
	} finally {
		rmSync(unfinished, { force: true });
	}
	return () => {
		if (readHolder(path, scope)?.id === own.id) rmSync(path);
	};
}

/**
 * Replaces a lock whose holder is dead; the file exists all the time. If several runs find it dead, only the run that
 * holds the claim to it may replace it. The claim is a lock too, and can be taken over too. The run with the claim
 * looks again: after that look, no other run can have replaced the lock.
 */
function acquire(path: string, unfinished: string, scope: PidScope): boolean {
	if (tryLink(unfinished, path)) return true;
	const holder = readHolder(path, scope);
	if (holder === undefined) return tryLink(unfinished, path);
	if (mayBeAlive(holder, scope)) return false;
	const claim = `${path}.${holder.id}.claim`;
	if (!acquire(claim, unfinished, scope)) return false;
	if (readHolder(path, scope)?.id !== holder.id) {
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

/** `undefined` if there is no lock. Throws if it cannot be read, because it may belong to another user. */
function readHolder(path: string, scope: PidScope): Holder | undefined {
	let bytes: Buffer | undefined;
	try {
		// Reading a pipe may wait for ever.
		refuseIrregular(path);
		bytes = readBoundedFile(path, MOST_LOCK_BYTES);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw cause;
	}
	if (bytes === undefined) throw new Error(`${path} is no lock of bursarctl`);
	return parseHolder(bytes.toString('utf8')) ?? { ...scope, pid: 0, id: 'unreadable' };
}

/** `undefined` for a broken lock, which only a crash of the machine leaves. The id becomes part of a file name. */
function parseHolder(text: string): Holder | undefined {
	try {
		const holder = JSON.parse(text) as Holder;
		if (!Number.isSafeInteger(holder.pid) || typeof holder.host !== 'string') return undefined;
		return { ...holder, id: /^[0-9a-f]{16}$/.test(holder.id) ? holder.id : 'unreadable' };
	} catch {
		return undefined;
	}
}

function heldLock(path: string, scope: PidScope): UsageError {
	const holder = readHolder(path, scope);
	const unseen =
		holder && !isInScope(holder, scope)
			? ', in a container, on a machine or before a restart that cannot be seen from here'
			: '';
	const who = holder ? ` (process ${holder.pid} on ${holder.host}${unseen})` : '';
	return new UsageError(
		`another bursarctl is using this journal${who}. Only if you are sure that it has ended, remove ${path}. Nothing was sent`,
		'journal_in_use',
	);
}
