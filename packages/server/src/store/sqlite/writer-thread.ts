import { parentPort, workerData } from 'node:worker_threads';
import { createKeySeal } from '../key-seal.ts';
import { openWriter } from './connection.ts';
import { createWriter, type Writer } from './writer.ts';

/** The data that the thread is started with. */
export interface WriterThreadData {
	readonly file: string;
	readonly masterKey: Uint8Array;
}

/** A call of one of the writer's functions, and its answer. Calls are answered in order. */
export interface WriterCall {
	readonly name: keyof Writer;
	readonly args: readonly unknown[];
}
export type WriterReply = { readonly value: unknown } | { readonly thrown: unknown };

/** The first message: the database is open, and calls may come. */
const READY: WriterReply = { value: 'ready' };

/** The thread that writes and waits for the disk, so that the thread that talks to clients does not. */
if (parentPort) serve(parentPort, workerData as WriterThreadData);

function serve(port: NonNullable<typeof parentPort>, { file, masterKey }: WriterThreadData): void {
	const writer = createWriter(openWriter(file), createKeySeal(masterKey));
	port.postMessage(READY);
	port.on('message', ({ name, args }: WriterCall) => {
		port.postMessage(answer(writer, name, args));
		if (name === 'close') port.close();
	});
}

function answer(writer: Writer, name: keyof Writer, args: readonly unknown[]): WriterReply {
	try {
		const call = writer[name] as (...args: readonly unknown[]) => unknown;
		return { value: call(...args) };
	} catch (thrown) {
		return { thrown };
	}
}
