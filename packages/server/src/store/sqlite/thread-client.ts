import { Worker } from 'node:worker_threads';
import type { ThreadCall, ThreadReply, ThreadStart } from './thread-calls.ts';

/** An object with functions in another thread. Calls are sent as messages and answered in order. */
export interface ThreadClient<Functions> {
	/** Resolves when the thread takes calls. Rejects if it cannot. */
	readonly ready: Promise<unknown>;
	call<Name extends keyof Functions>(
		name: Name,
		args: ArgumentsOf<Functions[Name]>,
	): Promise<ResultOf<Functions[Name]>>;
	/** Why no further call is sent; `undefined` while calls are sent. */
	readonly over: { readonly cause: unknown } | undefined;
	/** Resolves, with the cause, when the thread has failed or ended. */
	readonly ended: Promise<unknown>;
	/** Resolves when the thread has ended and closed its files. */
	readonly exited: Promise<void>;
	/** Sends no further calls. Once `after` resolves, the thread answers those that were sent, closes and ends. */
	close(after: Promise<unknown> | undefined): Promise<void>;
	/** Rejects all calls at once, and ends the thread. A statement that runs goes on until it calls JavaScript or is done. */
	terminate(cause: unknown): void;
}

export type ArgumentsOf<Method> = Method extends (...args: infer Arguments) => unknown ? Arguments : never;
type ResultOf<Method> = Method extends (...args: never) => infer Result ? Result : never;

/** Starts a thread that serves calls with `serveCalls`. It may report progress of the call that it runs. */
export function startThread<Functions>(
	file: string | URL,
	data: unknown,
	onProgress: (...progress: number[]) => void = () => {},
): ThreadClient<Functions> {
	const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	const worker = new Worker(file, { workerData: { data, sent } satisfies ThreadStart<unknown> });
	const waiting: { resolve: (value: unknown) => void; reject: (cause: unknown) => void }[] = [];
	const ended = Promise.withResolvers<unknown>();
	const exited = Promise.withResolvers<void>();
	let over: ThreadClient<Functions>['over'];
	let hasEnded = false;

	worker.on('message', (reply: ThreadReply) => {
		if ('progress' in reply) return onProgress(...reply.progress);
		const call = waiting.shift();
		if ('thrown' in reply) call?.reject(reply.thrown);
		else call?.resolve(reply.value);
	});
	worker.on('error', end);
	worker.on('exit', () => {
		end(new Error('the thread has ended'));
		exited.resolve();
	});

	function end(cause: unknown): void {
		hasEnded = true;
		over ??= { cause };
		for (const call of waiting.splice(0)) call.reject(cause);
		ended.resolve(cause);
	}

	function send(name: string, args: readonly unknown[]): Promise<unknown> {
		return new Promise((resolve, reject) => {
			if (hasEnded) return reject(over?.cause);
			// `postMessage` may throw. Then no answer is expected.
			worker.postMessage({ name, args } satisfies ThreadCall);
			Atomics.add(sent, 0, 1);
			Atomics.notify(sent, 0);
			waiting.push({ resolve, reject });
		});
	}

	return {
		ready: new Promise((resolve, reject) => waiting.push({ resolve, reject })),
		call: (async (name: string, args: readonly unknown[]) => {
			if (over) throw over.cause;
			return send(name, args);
		}) as ThreadClient<Functions>['call'],
		get over() {
			return over;
		},
		ended: ended.promise,
		exited: exited.promise,
		async close(after) {
			over ??= { cause: new Error('the store is closed') };
			await after;
			if (!hasEnded) await send('close', []);
		},
		terminate(cause) {
			end(cause);
			void worker.terminate();
		},
	};
}
