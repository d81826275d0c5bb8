import type { MessagePort } from 'node:worker_threads';

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

/** Answers calls of these functions. The thread ends after a call of `close`. */
export function serveCalls(port: MessagePort, functions: object): void {
	port.postMessage(READY);
	port.on('message', ({ name, args }: ThreadCall) => {
		port.postMessage(answer(functions, name, args));
		if (name === 'close') port.close();
	});
}

function answer(functions: object, name: string, args: readonly unknown[]): ThreadReply {
	try {
		const call = functions[name as keyof typeof functions] as (...args: readonly unknown[]) => unknown;
		return { value: call(...args) };
	} catch (thrown) {
		return { thrown };
	}
}
