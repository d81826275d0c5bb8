import { Worker } from 'node:worker_threads';
import type { BatchAnswer } from '../store.ts';
import type { Writer } from './writer.ts';
import type { WriterCall, WriterReply, WriterThreadData } from './writer-thread.ts';

type BatchCall = 'runCommands' | 'recordUsage';

/** The writer as the other threads see it: calls are sent over, and answered in order. */
export interface WriterClient {
	call<Name extends keyof Writer>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	/** Like `call`, but what goes wrong is in the answer. */
	runBatch<Name extends BatchCall>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	close(): Promise<void>;
}

export function startWriterThread(data: WriterThreadData): WriterClient {
	const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: data });
	const waiting: { resolve: (value: unknown) => void; reject: (cause: unknown) => void }[] = [];
	let ended: { readonly cause: unknown } | undefined;

	thread.on('message', (reply: WriterReply) => {
		const call = waiting.shift();
		if ('thrown' in reply) call?.reject(reply.thrown);
		else call?.resolve(reply.value);
	});
	thread.on('error', (cause) => end(cause));
	thread.on('exit', () => end(new Error('the thread that writes has ended')));

	function end(cause: unknown): void {
		ended ??= { cause };
		for (const call of waiting.splice(0)) call.reject(cause);
	}

	function call(name: WriterCall['name'], args: readonly unknown[]): Promise<unknown> {
		return new Promise((resolve, reject) => {
			if (ended) return reject(ended.cause);
			waiting.push({ resolve, reject });
			thread.postMessage({ name, args } satisfies WriterCall);
		});
	}

	async function runBatch(name: BatchCall, args: readonly unknown[]): Promise<BatchAnswer<unknown>> {
		if (ended) return { kind: 'not_done', cause: ended.cause };
		try {
			return (await call(name, args)) as BatchAnswer<unknown>;
		} catch (cause) {
			// The thread died with the batch in its hands: it may have been committed.
			return { kind: 'outcome_unknown', cause };
		}
	}

	return {
		call: call as WriterClient['call'],
		runBatch: runBatch as WriterClient['runBatch'],
		async close() {
			if (ended) return;
			await call('close', []);
		},
	};
}
