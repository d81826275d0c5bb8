import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** What a thread is started with. */
export interface ThreadStart<Data> {
	readonly data: Data;
	/** One number, which counts the calls that were sent. The thread sleeps on it. */
	readonly sent: Int32Array<SharedArrayBuffer>;
}

/** A call of one of a thread's functions, and its answer. Calls are answered in order. */
export interface ThreadCall {
	readonly name: string;
	readonly args: readonly unknown[];
}
export type ThreadReply =
	| { readonly value: unknown }
	| { readonly thrown: unknown }
	/** Of the call that runs. */
	| { readonly progress: readonly number[] };

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
