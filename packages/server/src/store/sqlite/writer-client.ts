import { Worker } from 'node:worker_threads';
import type { BatchAnswer } from '../store.ts';
import type { Writer } from './writer.ts';
import type { WriterCall, WriterReply, WriterThreadData } from './writer-thread.ts';

type BatchCall = 'runCommands' | 'runPersonCommands' | 'recordUsage';

/** The writer as other threads see it. Calls are sent as messages and answered in order. */
export interface WriterClient {
	call<Name extends keyof Writer>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	/** Like `call`, but the answer reports failures. */
	runBatch<Name extends BatchCall>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	/** Resolves, with the cause, when the thread ends without being closed. */
	readonly lost: Promise<unknown>;
	close(): Promise<void>;
}

/** Starts the thread. Resolves when it has opened the database, rejects if it cannot. */
export async function startWriterThread(data: WriterThreadData): Promise<WriterClient> {
	const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: data });
	const waiting: { resolve: (value: unknown) => void; reject: (cause: unknown) => void }[] = [];
	let ended: { readonly cause: unknown } | undefined;
	let closing: Promise<void> | undefined;

	thread.on('message', (reply: WriterReply) => {
		const call = waiting.shift();
		if ('thrown' in reply) call?.reject(reply.thrown);
		else call?.resolve(reply.value);
	});
	thread.on('error', (cause) => end(cause));
	thread.on('exit', () => end(new Error('the thread that writes has ended')));

	let lose: (cause: unknown) => void = () => {};
	const lost = new Promise<unknown>((resolve) => {
		lose = resolve;
	});

	function end(cause: unknown): void {
		if (!closing) lose(cause);
		ended ??= { cause };
		for (const call of waiting.splice(0)) call.reject(cause);
	}

	function call(name: WriterCall['name'], args: readonly unknown[]): Promise<unknown> {
		return new Promise((resolve, reject) => {
			if (ended) return reject(ended.cause);
			// `postMessage` may throw. Then no answer is expected.
			thread.postMessage({ name, args } satisfies WriterCall);
			waiting.push({ resolve, reject });
		});
	}

	async function runBatch(name: BatchCall, args: readonly unknown[]): Promise<BatchAnswer<unknown>> {
		if (ended) return { kind: 'not_done', cause: ended.cause };
		try {
			return (await call(name, args)) as BatchAnswer<unknown>;
		} catch (cause) {
			// The thread died while it ran the batch, which may have been committed.
			return { kind: 'outcome_unknown', cause };
		}
	}

	await new Promise((resolve, reject) => waiting.push({ resolve, reject }));
	async function close(): Promise<void> {
		if (ended) return;
		const closed = call('close', []);
		// Later calls are not sent any more, so they were certainly not done.
		ended = { cause: new Error('the store is closed') };
		await closed;
	}

	return {
		call: call as WriterClient['call'],
		runBatch: runBatch as WriterClient['runBatch'],
		lost,
		close() {
			closing ??= close();
			return closing;
		},
	};
}
