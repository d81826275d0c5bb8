import { threadFile } from '../../installation.ts';
import type { BatchAnswer } from '../store.ts';
import { type ArgumentsOf, startThread } from './thread-client.ts';
import type { Writer } from './writer.ts';
import type { WriterThreadData } from './writer-thread.ts';

type BatchCall = 'runCommands' | 'runPersonCommands' | 'recordUsage' | 'writeNotes';

/** The writer as other threads see it. Calls are sent as messages and answered in order. */
export interface WriterClient {
	call<Name extends keyof Writer>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	/** Like `call`, but the answer reports failures. */
	runBatch<Name extends BatchCall>(name: Name, args: Parameters<Writer[Name]>): Promise<ReturnType<Writer[Name]>>;
	/** Resolves, with the cause, when the thread ends without being closed. */
	readonly lost: Promise<unknown>;
	/** Refuses calls from now on. Closes once `after` resolves. */
	close(after?: Promise<unknown>): Promise<void>;
}

/** Starts the thread. Resolves when it has opened the database, rejects if it cannot. */
export async function startWriterThread(data: WriterThreadData): Promise<WriterClient> {
	const thread = startThread<Writer>(threadFile('store/sqlite/writer-thread'), data);
	let closing: Promise<void> | undefined;
	const lost = new Promise<unknown>((resolve) => {
		void thread.ended.then((cause) => {
			if (!closing) resolve(cause);
		});
	});

	async function runBatch<Name extends BatchCall>(name: Name, args: ArgumentsOf<Writer[Name]>) {
		if (thread.over) return { kind: 'not_done', cause: thread.over.cause };
		try {
			return (await thread.call(name, args)) as BatchAnswer<unknown>;
		} catch (cause) {
			// The thread died while it ran the batch, which may have been committed.
			return { kind: 'outcome_unknown', cause };
		}
	}

	await thread.ready;
	return {
		call: thread.call as WriterClient['call'],
		runBatch: runBatch as WriterClient['runBatch'],
		lost,
		close(after) {
			// Later calls are not sent any more, so they were certainly not done.
			closing ??= thread.close(after);
			return closing;
		},
	};
}
