import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Hands out the script of the reference page, compressed with gzip. It comes inside a module of
 * several megabytes: that is read when somebody first asks for the page, not when the service starts,
 * and in a thread of its own, so that nobody else waits meanwhile.
 */
export function createReferenceScript(): () => Promise<Buffer> {
	let script: Promise<Buffer> | undefined;
	return () => {
		script ??= readInThread().catch((cause) => {
			script = undefined;
			throw cause;
		});
		return script;
	};
}

async function readInThread(): Promise<Buffer> {
	const thread = new Worker(new URL('./reference-script-thread.ts', import.meta.url));
	const [compressed] = (await once(thread, 'message')) as [Uint8Array];
	return Buffer.from(compressed.buffer, compressed.byteOffset, compressed.byteLength);
}
