import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const PAGE_BYTES = 4096;

/** A real file system that is small enough to be filled. */
export interface SmallDisk {
	readonly folder: string;
	/** Leaves room for so many pages of 4,096 bytes, and none for anything else. */
	fillBut(pages: number): void;
	/** Gives all room back. */
	clear(): void;
}

/**
 * Mounts a tmpfs, and unmounts it when the test ends. Only root may: elsewhere the test fails, and can be
 * run with `unshare --user --map-root-user --mount npm test`.
 */
export function mountSmallDisk(test: TestContext, bytes: number): SmallDisk {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-disk-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'bursar-test', folder]);
	const ballast = openSync(join(folder, 'ballast'), 'w');
	let ballastBytes = 0;
	test.after(() => {
		closeSync(ballast);
		// Lazily, should anything of a process that was killed still hold it.
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
