import { once } from 'node:events';
import { access, constants, open, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { listenOnPath } from './listen-on-path.ts';
import type { Reading } from './reading.ts';

/**
 * Readings on disk that wait for the service. They outlive this process. The file may be older than what the service knows:
 * counters only grow, so a repeated report does no harm.
 */
export interface ReadingSpool {
	/** The readings that an earlier process left, in the order in which to send them. */
	readonly left: readonly SpooledReading[];
	/** Replaces what is on disk. Resolves when it is durable. Rejects if the disk is full or broken. */
	write(readings: readonly Reading[]): Promise<void>;
	/** Lets another process have the folder. */
	close(): Promise<void>;
}

type SpooledReading = Pick<Reading, 'counter' | 'username' | 'bytesUp' | 'bytesDown' | 'atMs'>;

/**
 * @bound Readings in a spool, about 60 MB: beyond, only the last one of each counter is kept, so bytes of earlier
 * days may count on a later day.
 */
const MAX_READINGS = 400_000;
const FILE = 'waiting.json';

/** A folder that no other process can take until `release`. */
export interface FolderLock {
	release(): Promise<void>;
}

/** Takes a folder for this process alone. Rejects if it cannot be written to, or another process has it. */
export async function takeFolder(folder: string): Promise<FolderLock> {
	// A missing folder gets an error of its own. That of `listen` would mislead.
	await access(folder, constants.W_OK);
	const lock = createServer((socket) => socket.destroy());
	await listenOnPath(lock, join(folder, 'in-use'));
	lock.unref();
	return {
		async release() {
			const closed = once(lock, 'close');
			lock.close();
			await closed;
		},
	};
}

/**
 * Moves readings that another process left to another folder, before those that are there. Nothing is lost if this process
 * ends meanwhile. A file that cannot be read is put aside and logged.
 */
export async function moveLeft(from: string, to: string, logger: Logger): Promise<void> {
	const file = join(from, FILE);
	const left = await readLeft(file, logger);
	if (left.length > 0) {
		const target = join(to, FILE);
		const readings = [...left, ...(await readLeft(target, logger))];
		await replaceFile(to, target, JSON.stringify(fewEnough(readings)));
	}
	await rm(file, { force: true });
}

/**
 * Opens a folder for this process alone. Rejects if it cannot be written to, or another process has it. A file that
 * cannot be read is put aside and logged.
 */
export async function openReadingSpool(folder: string, logger: Logger): Promise<ReadingSpool> {
	const file = join(folder, FILE);
	const lock = await takeFolder(folder);
	const left = await readLeft(file, logger);
	let isEmpty = left.length === 0;
	let writing = Promise.resolve();

	async function writeNow(readings: readonly Reading[]): Promise<void> {
		if (readings.length === 0 && isEmpty) return;
		isEmpty = readings.length === 0;
		if (isEmpty) await rm(file, { force: true });
		else await replaceFile(folder, file, JSON.stringify(fewEnough(readings).map(spooled)));
	}

	return {
		left,
		write(readings) {
			const written = writing.then(() => writeNow(readings));
			writing = written.catch(() => {});
			return written;
		},
		close: () => lock.release(),
	};
}

async function readLeft(file: string, logger: Logger): Promise<readonly SpooledReading[]> {
	try {
		const read: unknown = JSON.parse(await readFile(file, 'utf8'));
		if (Array.isArray(read) && read.every(isReading)) return read;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'ENOENT') return [];
		if (code !== undefined) throw error;
	}
	await rename(file, `${file}.unreadable`);
	logger.error({ file: `${file}.unreadable` }, 'what the process before has left cannot be read');
	return [];
}

function isReading(value: unknown): value is SpooledReading {
	const { counter, username, bytesUp, bytesDown, atMs } = (value ?? {}) as Record<string, unknown>;
	const areNames = [counter, username].every((name) => typeof name === 'string' && /^[!-~]{1,128}$/.test(name));
	return areNames && [bytesUp, bytesDown, atMs].every(Number.isSafeInteger);
}

/** The last reading of a counter has all its bytes. */
function fewEnough<Value extends SpooledReading>(readings: readonly Value[]): readonly Value[] {
	if (readings.length <= MAX_READINGS) return readings;
	return [...new Map(readings.map((reading) => [reading.counter, reading])).values()];
}

function spooled({ counter, username, bytesUp, bytesDown, atMs }: Reading): SpooledReading {
	return { counter, username, bytesUp, bytesDown, atMs };
}

/** At each moment, the file is the old one or the new one as a whole. */
async function replaceFile(folder: string, file: string, text: string): Promise<void> {
	const next = `${file}.next`;
	await using handle = await open(next, 'w', 0o600);
	await handle.writeFile(text);
	await handle.sync();
	await rename(next, file);
	await using parent = await open(folder);
	await parent.sync();
}
