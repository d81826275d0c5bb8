import { type FileHandle, open } from 'node:fs/promises';
import { CommandError, durableAppender } from '@bursar/terminal';
import { finishFile, writeUnfinished } from '../files/durable-file.ts';
import type { FoundJournal, HandedOn, JournalHeader } from './journal-file.ts';
import { historiesOf, type JournalEntry, type LineHistory, NOT_BEGUN, withEntry } from './line-history.ts';

/** The journal of a run: tells the history of each line, and records new entries. */
export interface Journal {
	history(line: number): LineHistory;
	/** Resolves once the entry would survive a crash of the machine. Rejects if it could not be written. */
	append(entry: JournalEntry): Promise<void>;
	/**
	 * Notes, for later runs, that the request of a line that this run began may take effect at any time. It changes the
	 * `begun` entry of the line without making it longer, so this succeeds on a full disk too.
	 */
	noteMayHappenLater(line: number): Promise<void>;
	close(): Promise<void>;
}

/** A journal that ends with the process: for changes that can be done again at any time. */
export function journalInMemory(): Journal {
	const histories = new Map<number, LineHistory>();
	const history = (line: number) => histories.get(line) ?? NOT_BEGUN;
	return {
		history,
		async append(entry) {
			histories.set(entry.line, withEntry(history(entry.line), entry));
		},
		async noteMayHappenLater() {},
		async close() {},
	};
}

/** Opens a journal for writing: a new one, or the found one without its torn end. */
export async function openJournal(
	path: string,
	header: JournalHeader,
	found: FoundJournal | undefined,
): Promise<Journal> {
	const histories = historiesOf(found?.entries ?? []);
	const heading = `${JSON.stringify(header)}\n`;
	let file: FileHandle;
	/** A file that was opened for appending writes only at its end. */
	let changeable: FileHandle;
	try {
		if (found === undefined) {
			await writeUnfinished(path, heading);
			await finishFile(path);
		}
		file = await openComplete(path, found);
		changeable = await open(path, 'r+');
	} catch (cause) {
		throw new CommandError('journal_failed', `the journal could not be opened: ${(cause as Error).message}`);
	}
	const append = appenderTo(file);
	const history = (line: number) => histories.get(line) ?? NOT_BEGUN;
	let bytes = found?.completeBytes ?? Buffer.byteLength(heading);
	/** For each line that this run began: the position of the word `false` after `may_happen_later`. */
	const flagPositions = new Map<number, number>();

	async function written(writing: Promise<unknown>): Promise<void> {
		try {
			await writing;
		} catch (cause) {
			const message = `the journal could not be written, so nothing more was begun: ${(cause as Error).message}`;
			throw new CommandError('journal_failed', message);
		}
	}

	return {
		history,
		async append(entry) {
			const isBegun = entry.state === 'begun';
			const text = `${JSON.stringify(isBegun ? { ...entry, may_happen_later: false } : entry)}\n`;
			bytes += Buffer.byteLength(text);
			if (isBegun) flagPositions.set(entry.line, bytes - Buffer.byteLength('false}\n'));
			await written(append(text));
			histories.set(entry.line, withEntry(history(entry.line), entry));
		},
		noteMayHappenLater(line) {
			return written(changeable.write('true ', flagPositions.get(line)).then(() => changeable.datasync()));
		},
		async close() {
			await Promise.all([file.close(), changeable.close()]);
		},
	};
}

/** Ends a journal whose remaining lines went to another file. Durable when it resolves. */
export async function endJournal(path: string, found: FoundJournal, last: HandedOn): Promise<void> {
	try {
		const file = await openComplete(path, found);
		await appenderTo(file)(`${JSON.stringify(last)}\n`).finally(() => file.close());
	} catch (cause) {
		throw new CommandError('journal_failed', `the journal could not be written: ${(cause as Error).message}`);
	}
}

function appenderTo(file: FileHandle) {
	return durableAppender({ appendFile: (text) => file.appendFile(text), flush: () => file.datasync() });
}

/** Opens a journal for appending, and cuts off the torn end that a crash left. */
async function openComplete(path: string, found: FoundJournal | undefined): Promise<FileHandle> {
	const file = await open(path, 'a');
	if (found !== undefined) await file.truncate(found.completeBytes);
	return file;
}
