import { execFileSync } from 'node:child_process';
import {
	closeSync,
	constants,
	fchmodSync,
	fchownSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWellFormedEdgeKey } from '@bursar/contract/secret-text';
import { CommandError, openSecretFile, readTokenFile } from '@bursar/terminal';

/** A file that is on disk under a temporary name, beside the file that it will replace. */
export interface StagedFile {
	/** Gives it its final name, and removes what interrupted joins have left beside it. */
	commit(): void;
	/** Removes it. */
	discard(): void;
}

export interface FileOwner {
	readonly mode: number;
	readonly group?: number;
}

/** `link` is a name for the link, because a file that one link has left is of no use for another link. */
const stagedName = (file: string, link: string) => `${file}.joining-${link}`;

/**
 * Writes a file, and waits for the disk. A file that is there keeps its owner and mode, but others lose their rights.
 * Throws `CommandError`.
 */
export function stageFile(file: string, text: string, link: string, owner: FileOwner): StagedFile {
	const staged = stagedName(file, link);
	const unfinished = `${staged}.new`;
	const discard = () => rmSync(staged, { force: true });
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
		rmSync(unfinished, { force: true });
		// Never through a link that another user has made.
		const { O_CREAT, O_EXCL, O_WRONLY } = constants;
		const descriptor = openSync(unfinished, O_CREAT | O_EXCL | O_WRONLY, 0o600);
		try {
			writeFileSync(descriptor, text);
			own(descriptor, file, owner);
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
		// The key of an interrupted join is on disk at any moment, also while it is written again.
		renameSync(unfinished, staged);
		syncFolder(file);
	} catch (cause) {
		throw writeError(file, cause, 'nothing was done; run it as root, or name other files');
	}
	return {
		commit() {
			try {
				renameSync(staged, file);
				removeLeftovers(file);
				syncFolder(file);
			} catch (cause) {
				throw writeError(file, cause, 'this host has joined: run the same command again with the same link');
			}
		},
		discard,
	};
}

/** Also removes files of other links: this host has joined now. */
function removeLeftovers(file: string): void {
	const start = stagedName(basename(file), '');
	for (const name of readdirSync(dirname(file))) {
		if (name.startsWith(start)) rmSync(join(dirname(file), name), { force: true });
	}
}

function own(descriptor: number, file: string, { mode, group }: FileOwner): void {
	const present = statSync(file, { throwIfNoEntry: false });
	const isRoot = process.getuid?.() === 0;
	if (isRoot && present) fchownSync(descriptor, present.uid, present.gid);
	else if (isRoot && group !== undefined) fchownSync(descriptor, 0, group);
	// No more than `openSecretFile` allows.
	fchmodSync(descriptor, present ? present.mode & (present.uid === 0 ? 0o640 : 0o600) : mode);
}

/** A name in a folder is durable once the folder is. Windows cannot wait for that. */
function syncFolder(file: string): void {
	if (process.platform === 'win32') return;
	const folder = openSync(dirname(file), 'r');
	try {
		fsyncSync(folder);
	} finally {
		closeSync(folder);
	}
}

function writeError(file: string, cause: unknown, remedy: string): CommandError {
	const { code, message } = cause as NodeJS.ErrnoException;
	return new CommandError('failed', `${file}: it cannot be written (${code ?? message}); ${remedy}`);
}

/**
 * The key of an interrupted join: the service may know it already. `undefined` if there is none, or if others can read it.
 */
export function readStagedKey(file: string, link: string): string | undefined {
	const staged = stagedName(file, link);
	try {
		if (!lstatSync(staged).isFile() || openSecretFile(staged) !== undefined) return undefined;
		const key = readTokenFile(staged);
		return key !== undefined && isWellFormedEdgeKey(key) ? key : undefined;
	} catch {
		// Usually the file does not exist. A folder that cannot be used causes an error when the key is written.
		return undefined;
	}
}

const GROUP = 'bursar-edge';

/** Only root can let the group of the service read a key. Without that group, only the user who joins can read it. */
export function ownerOfKey(): FileOwner {
	if (process.getuid?.() !== 0) return { mode: 0o600 };
	try {
		const entry = execFileSync('getent', ['group', GROUP], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
		return { mode: 0o640, group: Number(entry.split(':')[2]) };
	} catch {
		return { mode: 0o600 };
	}
}
