import { type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/**
 * Functions in another thread, by their names. Calls are sent as messages and answered in order. The thread sleeps on a
 * shared number instead of in its event loop, which takes the caller 15 us instead of 10 to 200 us for each call (gives at
 * 64 and 256 connections: rate 1.08, docs/decisions/0042-processor-time.md). So the functions must not be asynchronous.
 */
export interface ThreadClient<Functions> {
	/** Resolves when the thread takes calls. Rejects if it cannot. */
	readonly ready: Promise<unknown>;
	call<Name extends keyof Functions>(
		name: Name,
		...args: ArgumentsOf<Functions[Name]>
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

type ArgumentsOf<Method> = Method extends (...args: infer Arguments) => unknown ? Arguments : never;
type ResultOf<Method> = Method extends (...args: never) => infer Result ? Result : never;

/** What a thread is started with. */
export interface ThreadStart<Data> {
	readonly data: Data;
	/** One number, which counts the calls that were sent. The thread sleeps on it. */
	readonly sent: Int32Array<SharedArrayBuffer>;
}

interface ThreadCall {
	readonly name: string;
	readonly args: readonly unknown[];
}
/** Of a call of one of a thread's functions. */
export type ThreadReply =
	| { readonly value: unknown }
	| { readonly thrown: unknown }
	/** Of the call that runs. */
	| { readonly progress: readonly number[] };

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
	/** Resolves when the thread has loaded its code, or has failed to. */
	const started = Promise.withResolvers<void>();
	let over: ThreadClient<Functions>['over'];
	let hasEnded = false;

	worker.on('message', (reply: ThreadReply) => {
		if ('progress' in reply) return onProgress(...reply.progress);
		const call = waiting.shift();
		if ('thrown' in reply) call?.reject(reply.thrown);
		else call?.resolve(reply.value);
	});
	worker.on('error', end);
	worker.once('message', () => started.resolve());
	worker.on('exit', () => {
		end(new Error('the thread has ended'));
		started.resolve();
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
		call: (async (name: string, ...args: readonly unknown[]) => {
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
			// A thread that is ended while it loads native code ends the process.
			void started.promise.then(() => worker.terminate());
		},
	};
}

/** The first message: calls may come. */
const READY: ThreadReply = { value: 'ready' };

/**
 * Answers calls of these functions, until a call of `close`. Meanwhile the event loop of this thread does not turn. To
 * wake it would take the calling thread longer, and could move this thread to the caller's processor.
 */
export function serveCalls(port: MessagePort, functions: object, { sent }: ThreadStart<unknown>): void {
	port.postMessage(READY);
	for (;;) {
		// Read first: a call that is sent after the last one was received ends the sleep at once.
		const seen = Atomics.load(sent, 0);
		for (let call = receive(port); call; call = receive(port)) {
			port.postMessage(answer(functions, call.name, call.args));
			if (call.name === 'close') {
				port.close();
				return;
			}
		}
		Atomics.wait(sent, 0, seen);
	}
}

function receive(port: MessagePort): ThreadCall | undefined {
	return receiveMessageOnPort(port)?.message;
}

function answer(functions: object, name: string, args: readonly unknown[]): ThreadReply {
	try {
		const call = functions[name as keyof typeof functions] as (...args: readonly unknown[]) => unknown;
		return { value: call(...args) };
	} catch (thrown) {
		return { thrown };
	}
}
