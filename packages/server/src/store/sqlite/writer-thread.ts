import { parentPort, workerData } from 'node:worker_threads';
import { createKeySeal } from '../key-seal.ts';
import { openWriter } from './connection.ts';
import { serveCalls } from './thread-calls.ts';
import { createWriter } from './writer.ts';

/** The data that the thread is started with. */
export interface WriterThreadData {
	readonly file: string;
	readonly masterKey: Uint8Array;
}

/** The thread that writes and waits for the disk, so that the thread that talks to clients does not. */
if (parentPort) {
	const { file, masterKey } = workerData as WriterThreadData;
	serveCalls(parentPort, createWriter(openWriter(file), createKeySeal(masterKey)));
}
