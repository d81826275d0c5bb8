import { parentPort, workerData } from 'node:worker_threads';
import { createKeySeal } from '../../secrets/key-seal.ts';
import { openWriter } from '../database/connection.ts';
import { serveCalls, type ThreadStart } from '../thread.ts';
import { createWriter } from './writer.ts';
import { type WriterThreadData, writerCalls } from './writer-calls.ts';

/** The thread that writes and waits for the disk, so that the thread that talks to clients does not. */
if (parentPort) {
	const start = workerData as ThreadStart<WriterThreadData>;
	const { file, masterKey } = start.data;
	serveCalls(parentPort, writerCalls(createWriter(openWriter(file), createKeySeal(masterKey))), start);
}
