import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { createLogFile, type LogFile } from './log-file.ts';
import type { CounterNow } from './usage-counters.ts';

/** Reads a log and its rotated predecessors. */
export interface LogFollower {
	/**
	 * Reads everything that is new. `take` gets the counters that changed, and resolves once it has taken them. Rejects if
	 * the folder cannot be read.
	 */
	readNew(take: (changed: ReadonlyMap<string, CounterNow>) => Promise<void>): Promise<void>;
	close(): Promise<void>;
	/** Lines since the start that had another form. */
	readonly unreadableLines: number;
	/** Logs that are read. */
	readonly files: number;
}

/** @bound Rotated logs of Squid that are read: further ones are not read, the oldest first. */
const MAX_FILES = 64;
const COMPRESSED = /\.(?:gz|bz2|xz|zst|lz4)$/;

/** Rotated logs have the path with `.` or `-` and something after it. Reading goes on after a log is renamed. */
export function createLogFollower(path: string, logger: Logger): LogFollower {
	/** By device and number of the file, which no other file has while it is open here. */
	const files = new Map<string, LogFile>();
	let unreadableLines = 0;
	let problem: string | undefined;

	function tell(present: string | undefined): void {
		if (present !== undefined && present !== problem) logger.error({ problem: present }, 'a log cannot be read');
		problem = present;
	}

	async function openNew(found: readonly Found[]): Promise<void> {
		let failure: string | undefined;
		for (const { id, file } of found) {
			if (files.has(id)) continue;
			try {
				const handle = await openSame(file, id);
				if (handle)
					files.set(
						id,
						createLogFile(handle, () => unreadableLines++),
					);
			} catch (cause) {
				if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') failure = (cause as Error).message;
			}
		}
		tell(failure);
	}

	return {
		async readNew(take) {
			const found = await findLogs(path);
			await openNew(found);
			const present = new Set(found.map(({ id }) => id));
			for (const [id, file] of files) {
				for (let changed = await file.readSome(); changed; changed = await file.readSome()) await take(changed);
				if (present.has(id)) continue;
				files.delete(id);
				await file.close();
			}
		},
		async close() {
			for (const file of files.values()) await file.close();
			files.clear();
		},
		get unreadableLines() {
			return unreadableLines;
		},
		get files() {
			return files.size;
		},
	};
}

interface Found {
	readonly id: string;
	readonly file: string;
}

/** The newest first. */
async function findLogs(path: string): Promise<readonly Found[]> {
	const [folder, base] = [dirname(path), basename(path)];
	const names = (await readdir(folder)).filter(
		(name) =>
			name === base || (/^[.-]./.test(name.slice(base.length)) && name.startsWith(base) && !COMPRESSED.test(name)),
	);
	const found = await Promise.all(
		names.map(async (name) => {
			const file = join(folder, name);
			const about = await stat(file, { bigint: true }).catch(() => undefined);
			return about?.isFile() ? [{ id: `${about.dev}:${about.ino}`, file, changed: about.mtimeNs }] : [];
		}),
	);
	return found
		.flat()
		.sort((one, other) => (one.changed < other.changed ? 1 : -1))
		.slice(0, MAX_FILES);
}

/** Opens the file, unless another one has replaced it meanwhile. */
async function openSame(file: string, id: string): Promise<FileHandle | undefined> {
	const handle = await open(file);
	const { dev, ino } = await handle.stat({ bigint: true });
	if (`${dev}:${ino}` === id) return handle;
	await handle.close();
	return undefined;
}
