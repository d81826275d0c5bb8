import { fstatSync, fsyncSync, readSync, statSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const STANDARD_OUTPUT = 1;
const RETRY_MS = 10;

/** Whether it was closed when we were started. Then Node has put a device in its place that takes everything. */
export function isOutputClosed(): boolean {
	try {
		// A shell that is told to throw our output away opens the same device only for writing.
		const isNullDevice = fstatSync(STANDARD_OUTPUT).rdev === statSync('/dev/null').rdev;
		return isNullDevice && readSync(STANDARD_OUTPUT, Buffer.alloc(1)) === 0;
	} catch {
		return false;
	}
}

/** Throws if a file could not take all of it. What becomes of it elsewhere, the stream says later. */
export function writeOutput(text: string): void {
	if (!fstatSync(STANDARD_OUTPUT).isFile()) {
		process.stdout.write(text);
		return;
	}
	// The stream would call a line written of which a full disk has taken the first half.
	const bytes = Buffer.from(text);
	for (let written = 0; written < bytes.length; ) written += writeSync(STANDARD_OUTPUT, bytes, written);
}

/**
 * Resolves once a file has it on its disk, or whatever else it is has taken it. That its reader reads it nobody can
 * know. Waits for a reader that stalls, as every program does. Throws if it was not taken.
 */
export async function writeDurably(text: string): Promise<void> {
	const bytes = Buffer.from(text);
	for (let written = 0; written < bytes.length; ) {
		try {
			written += writeSync(STANDARD_OUTPUT, bytes, written);
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
			await setTimeout(RETRY_MS);
		}
	}
	if (fstatSync(STANDARD_OUTPUT).isFile()) fsyncSync(STANDARD_OUTPUT);
}
