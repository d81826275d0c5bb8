import { threadFile } from '../../../installation.ts';
import type { BatchAnswer, Writer } from '../../store.ts';
import { startThread, type ThreadClient } from '../thread.ts';
import { type PackedCommands, type PackedOutcome, receivePacked, sendPacked } from './packed-commands.ts';
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
	/**
	 * Resolves, with the cause, when the thread ends without being closed, or when the outcome of a batch is unknown: this
	 * process may then disagree with the disk, and a restart reads the disk.
	 */
	readonly lost: Promise<unknown>;
	/** Resolves also if the thread has failed: then each write says why. */
	readonly startWriting: () => Promise<void>;
	/** Refuses calls from now on. Closes once `after` resolves. */
	close(after?: Promise<unknown>): Promise<void>;
}

/** The thread is started when something is first written: a command that only reads needs none. */
export function createThreadWriter(data: WriterThreadData): ThreadWriter {
	const lost = Promise.withResolvers<unknown>();
	let started: ThreadClient<WriterCalls> | undefined;
	let hasOpened = false;
	let closing: Promise<void> | undefined;

	function thread(): ThreadClient<WriterCalls> {
		if (started) return started;
		if (closing) throw new Error('the store is closed');
		started = startThread<WriterCalls>(threadFile('store/sqlite/writing/writer-thread'), data);
		started.ready.then(
			() => {
				hasOpened = true;
			},
			() => {},
		);
		void started.ended.then((cause) => {
			if (!closing) lost.resolve(cause);
		});
		return started;
	}

	async function batch<Result>(
		send: (thread: ThreadClient<WriterCalls>) => Promise<BatchAnswer<Result>>,
	): Promise<BatchAnswer<Result>> {
		// What is not sent is certainly not done, and neither is what is sent to a thread that cannot open the database.
		if (closing && !started) return { kind: 'not_done', cause: new Error('the store is closed') };
		const { over } = thread();
		if (over) return { kind: 'not_done', cause: over.cause };
		// If the thread dies while it runs the batch, the batch may have been committed.
		const answer = await send(thread()).catch(
			(cause: unknown) => ({ kind: hasOpened ? 'outcome_unknown' : 'not_done', cause }) as const,
		);
		if (answer.kind === 'outcome_unknown') lost.resolve(answer.cause);
		return answer;
	}

	return {
		runCommands: (commands, nowMs) =>
			batch((thread) => sendPacked(commands, (packed) => thread.call('runCommands', packed, nowMs))),
		runPersonCommands: (commands, nowMs) => batch((thread) => thread.call('runPersonCommands', commands, nowMs)),
		recordUsage: (reports, nowMs) => batch((thread) => thread.call('recordUsage', reports, nowMs)),
		writeRecords: (records, nowMs) => batch((thread) => thread.call('writeRecords', records, nowMs)),
		lost: lost.promise,
		startWriting: () =>
			thread().ready.then(
				() => {},
				() => {},
			),
		close(after) {
			closing ??= started ? started.close(after) : Promise.resolve(after).then(() => {});
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
