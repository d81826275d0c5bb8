import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../installation.ts';
import type { EncodedFile } from '../server/encoded-file.ts';

/**
 * Returns the script of the reference page. It is part of a module of several megabytes. A separate thread reads the
 * module when the page is first requested, so neither the start of the service nor other requests wait for it.
 */
export function createReferenceScript(): () => Promise<EncodedFile> {
	let script: Promise<EncodedFile> | undefined;
	return () => {
		script ??= readInThread().catch((cause) => {
			script = undefined;
			throw cause;
		});
		return script;
	};
}

async function readInThread(): Promise<EncodedFile> {
	const thread = new Worker(threadFile('http/docs/reference-script-thread'));
	const [{ plain, gzip }] = (await once(thread, 'message')) as [EncodedFile];
	return { plain: bufferOf(plain), gzip: bufferOf(gzip) };
}

/** A message between threads turns a `Buffer` into a plain `Uint8Array`. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
	return Buffer.from(buffer, byteOffset, byteLength);
}
