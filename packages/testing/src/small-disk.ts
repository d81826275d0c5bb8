import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
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
}

/**
 * Mounts a tmpfs, and unmounts it when the test ends. Only root may mount. For other users the test fails; they can run
 * it with `unshare --user --map-root-user --mount npm test`.
 */
export function mountSmallDisk(test: TestContext, bytes: number): SmallDisk {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-disk-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'bursar-test', folder]);
	const ballast = openSync(join(folder, 'ballast'), 'w');
	let ballastBytes = 0;
	test.after(() => {
		closeSync(ballast);
		// Lazily, because a killed process may still use it.
		execFileSync('umount', ['--lazy', folder]);
		rmdirSync(folder);
	});
	const page = Buffer.alloc(PAGE_BYTES);
	return {
		folder,
		fillBut(pages) {
			for (;;) {
				const { bavail, bsize } = statfsSync(folder);
				const free = Math.floor((bavail * bsize) / PAGE_BYTES);
				if (free <= pages) return;
				ballastBytes += writeSync(ballast, page, 0, PAGE_BYTES, ballastBytes);
			}
		},
		clear() {
			ballastBytes = 0;
			ftruncateSync(ballast, 0);
		},
	};
}
