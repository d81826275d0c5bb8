import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const PAGE_BYTES = 4096;

/** A real file system that is small enough to fill. */
export interface SmallDisk {
	readonly folder: string;
	/** Fills the disk, except for this many pages of 4,096 bytes. */
	fillBut(pages: number): void;
	/** Frees the disk again. */
	clear(): void;
	/** Mounts the disk again, for reading only or for both. Throws if a file on it is open for writing. */
	remount(mode: 'ro' | 'rw'): void;
}

/**
 * Mounts a tmpfs, and unmounts it when the test ends. Only root may mount. For other users the test fails; they can run
 * it with `unshare --user --map-root-user --mount npm test`.
 */
export function mountSmallDisk(test: TestContext, bytes: number): SmallDisk {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-disk-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'bursar-test', folder]);
	const ballast = join(folder, 'ballast');
	const clear = () => writeFileSync(ballast, '');
	clear();
	test.after(() => {
		// Lazily, because a killed process may still use it.
		execFileSync('umount', ['--lazy', folder]);
		rmdirSync(folder);
	});
	const page = Buffer.alloc(PAGE_BYTES);
	return {
		folder,
		fillBut(pages) {
			const descriptor = openSync(ballast, 'a');
			for (;;) {
				const { bavail, bsize } = statfsSync(folder);
				const free = Math.floor((bavail * bsize) / PAGE_BYTES);
				if (free <= pages) break;
				writeSync(descriptor, page);
			}
			closeSync(descriptor);
		},
		clear,
		remount: (mode) => execFileSync('mount', ['-o', `remount,${mode}`, folder]),
	};
}
