import { parentPort, workerData } from 'node:worker_threads';
import { createKeySeal } from '../key-seal.ts';
import { openWriter } from './connection.ts';
import { serveCalls, type ThreadStart } from './thread-calls.ts';
import { createWriter } from './writer.ts';

/** The data that the thread is started with. */
export interface WriterThreadData {
	readonly file: string;
	readonly masterKey: Uint8Array;
}

/** The thread that writes and waits for the disk, so that the thread that talks to clients does not. */
if (parentPort) {
	const start = workerData as ThreadStart<WriterThreadData>;
	const { file, masterKey } = start.data;
	serveCalls(parentPort, createWriter(openWriter(file), createKeySeal(masterKey)), start);
}
