import { statSync } from 'node:fs';
import { readBoundedFile, UsageError } from '@bursar/terminal';

/** Throws a `UsageError` if this exists and is not a regular file. Throws as `stat` does. */
export function refuseIrregular(file: string): void {
	if (statSync(file, { throwIfNoEntry: false })?.isFile() !== false) return;
	throw new UsageError(`${file} is not a regular file. Nothing was sent`, 'unreadable_file');
}

/**
 * All bytes of a file; `undefined` if it does not exist. Throws a `UsageError` if it is too large, not readable, or not
 * a regular file: reading a pipe or a terminal may wait forever, and a later run could not read it again.
 */
export function readRegularFile(file: string, mostMebibytes: number): Buffer | undefined {
	let bytes: Buffer | undefined;
	try {
		refuseIrregular(file);
		bytes = readBoundedFile(file, mostMebibytes * 1024 ** 2);
	} catch (cause) {
		if (cause instanceof UsageError) throw cause;
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return undefined;
		throw new UsageError(`${file} cannot be read (${code}). Nothing was sent`, 'unreadable_file');
	}
	if (bytes !== undefined) return bytes;
	throw new UsageError(`${file} is larger than ${mostMebibytes} MiB. Nothing was sent`, 'file_too_large');
}
