import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { moveLeft, takeFolder } from '../../agent/reading-spool.ts';

/** The spool of a proxy: each worker has a folder of its own in it. */
export interface WorkerSpools {
	/**
	 * Makes the folder of a worker. Moves the readings there that ended workers have left, also workers of earlier starts.
	 * `taken` are the names of the other workers of this start.
	 */
	prepare(name: string, taken: ReadonlySet<string>): Promise<void>;
	/** Removes the folder of a worker that has ended, unless readings wait in it. */
	ended(name: string): Promise<void>;
	/** Lets another proxy have the folder. */
	close(): Promise<void>;
}

const NAME = /^worker-([\w-]{1,32})$/;

/** The folder of a worker. */
export function workerSpool(folder: string, name: string): string {
	return join(folder, `worker-${name}`);
}

/** Takes the folder for this proxy alone. Rejects if it cannot be written to, or another proxy has it. */
export async function openWorkerSpools(folder: string, logger: Logger): Promise<WorkerSpools> {
	const lock = await takeFolder(folder);
	/**
	 * One after another: two workers must not get the same readings, and a successor uses the folder of its predecessor.
	 */
	let last = Promise.resolve();

	function inTurn(task: () => Promise<void>): Promise<void> {
		const done = last.then(task);
		last = done.catch(() => {});
		return done;
	}

	async function prepareNow(name: string, taken: ReadonlySet<string>): Promise<void> {
		const own = workerSpool(folder, name);
		await mkdir(own, { recursive: true, mode: 0o700 });
		// A version without workers has left its file in the folder itself.
		await moveLeft(folder, own, logger);
		for (const entry of await readdir(folder)) {
			const [, other] = NAME.exec(entry) ?? [];
			if (other === undefined || other === name || taken.has(other)) continue;
			await adopt(workerSpool(folder, other), own);
		}
	}

	async function adopt(other: string, own: string): Promise<void> {
		// After a kill of the primary process, its workers go on for some seconds.
		const otherLock = await takeFolder(other).catch(() => undefined);
		if (!otherLock) return;
		await moveLeft(other, own, logger);
		await otherLock.release();
		// A kill can leave a file that was being written.
		await rm(join(other, 'waiting.json.next'), { force: true });
		await removeEmpty(other);
	}

	return {
		prepare: (name, taken) => inTurn(() => prepareNow(name, taken)),
		ended: (name) =>
			inTurn(async () => {
				await rm(join(workerSpool(folder, name), 'in-use'), { force: true });
				await removeEmpty(workerSpool(folder, name));
			}),
		async close() {
			await last;
			await lock.release();
		},
	};
}

async function removeEmpty(folder: string): Promise<void> {
	await rmdir(folder).catch((cause: NodeJS.ErrnoException) => {
		if (cause.code !== 'ENOTEMPTY' && cause.code !== 'ENOENT') throw cause;
	});
}
