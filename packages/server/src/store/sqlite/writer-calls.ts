import { threadFile } from '../../installation.ts';
import type { BatchAnswer, Writer } from '../store.ts';
import { type PackedCommands, type PackedOutcome, receivePacked, sendPacked } from './packed-commands.ts';
import { startThread } from './thread.ts';
import type { ConnectionWriter } from './writer.ts';

/** What crosses from the thread that talks to clients to the thread that writes. */
export interface WriterCalls extends Omit<ConnectionWriter, 'runCommands'> {
	runCommands(packed: PackedCommands, nowMs: number): BatchAnswer<PackedOutcome>;
}

/** The data that the thread is started with. */
export interface WriterThreadData {
	readonly file: string;
	readonly masterKey: Uint8Array;
}

/** The writer as other threads see it. */
export interface ThreadWriter extends Writer {
	backup(file: string): Promise<void>;
	/**
	 * Resolves, with the cause, when the thread ends without being closed, or when the outcome of a batch is unknown: this
	 * process may then disagree with the disk, and a restart reads the disk.
	 */
	readonly lost: Promise<unknown>;
	/** Refuses calls from now on. Closes once `after` resolves. */
	close(after?: Promise<unknown>): Promise<void>;
}

/** Starts the thread. Resolves when it has opened the database, rejects if it cannot. */
export async function startWriterThread(data: WriterThreadData): Promise<ThreadWriter> {
	const thread = startThread<WriterCalls>(threadFile('store/sqlite/writer-thread'), data);
	const lost = Promise.withResolvers<unknown>();
	let closing: Promise<void> | undefined;
	void thread.ended.then((cause) => {
		if (!closing) lost.resolve(cause);
	});

	async function batch<Result>(send: () => Promise<BatchAnswer<Result>>): Promise<BatchAnswer<Result>> {
		// What is not sent is certainly not done.
		if (thread.over) return { kind: 'not_done', cause: thread.over.cause };
		// If the thread dies while it runs the batch, the batch may have been committed.
		const answer = await send().catch((cause: unknown) => ({ kind: 'outcome_unknown', cause }) as const);
		if (answer.kind === 'outcome_unknown') lost.resolve(answer.cause);
		return answer;
	}

	await thread.ready;
	return {
		runCommands: (commands, nowMs) =>
			batch(() => sendPacked(commands, (packed) => thread.call('runCommands', packed, nowMs))),
		runPersonCommands: (commands, nowMs) => batch(() => thread.call('runPersonCommands', commands, nowMs)),
		recordUsage: (reports, nowMs) => batch(() => thread.call('recordUsage', reports, nowMs)),
		writeNotes: (notes, nowMs) => batch(() => thread.call('writeNotes', notes, nowMs)),
		backup: (file) => thread.call('backup', file),
		lost: lost.promise,
		close(after) {
			closing ??= thread.close(after);
			return closing;
		},
	};
}

/** The calls as the thread serves them. */
export function writerCalls(writer: ConnectionWriter): WriterCalls {
	return {
		...writer,
		runCommands: (packed, nowMs) => receivePacked(packed, (commands) => writer.runCommands(commands, nowMs)),
	};
}
