import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 64 * 1024;

/** All bytes of a file; `undefined` if it has more than `mostBytes`, or no end. Throws if reading fails. */
export function readBoundedFile(file: string, mostBytes: number): Buffer | undefined {
	const descriptor = openSync(file, 'r');
	try {
		const chunks: Buffer[] = [];
		for (let total = 0; ; ) {
			const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
			const bytes = readSync(descriptor, chunk);
			if (bytes === 0) return Buffer.concat(chunks);
			total += bytes;
			if (total > mostBytes) return undefined;
			chunks.push(chunk.subarray(0, bytes));
		}
	} finally {
		closeSync(descriptor);
	}
}
