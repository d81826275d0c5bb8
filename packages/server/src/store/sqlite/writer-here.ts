import type { KeySeal } from '../key-seal.ts';
import type { Connection } from './connection.ts';
import type { Writer } from './writer.ts';
import type { WriterClient } from './writer-client.ts';

/** The writer on the calling thread, which waits for the disk. For commands that answer no requests meanwhile. */
export function writerHere(connection: Connection, seal: KeySeal): WriterClient {
	let made: Promise<Writer> | undefined;
	// Loaded when it is first needed: commands that only read do not need it.
	async function make(): Promise<Writer> {
		const { createWriter } = await import('./writer.ts');
		return createWriter(connection, seal);
	}

	async function call(name: keyof Writer, args: readonly unknown[]): Promise<unknown> {
		made ??= make();
		const method = (await made)[name] as (...args: readonly unknown[]) => unknown;
		return method(...args);
	}

	return {
		call: call as WriterClient['call'],
		runBatch: call as WriterClient['runBatch'],
		lost: new Promise(() => {}),
		async close() {
			connection.close();
		},
	};
}
