import { type FileHandle, open } from 'node:fs/promises';
import { CommandError, durableAppender, UsageError } from '@bursar/terminal';
import type { Change } from './changes.ts';
import { finishFile, writeUnfinished } from './durable-file.ts';
import { type JournalEntry, type LineHistory, UNTOUCHED, withEntry } from './history.ts';
import { type FoundJournal, type HandedOn, type JournalHeader, readJournalFile } from './journal-file.ts';

/** What a journal must belong to. */
export type JournalSubject = Pick<JournalHeader, 'operation' | 'url'>;

/** The journal of a run: tells the history of each line, and records new entries. */
export interface Journal {
	history(line: number): LineHistory;
	/** Resolves once the entry would survive a crash of the machine. Rejects if it could not be written. */
	append(entry: JournalEntry): Promise<void>;
	/**
	 * Notes that the request of a line that this run began may take effect at any time. The `begun` entry has a place
	 * for it, so this succeeds on a full disk too.
	 */
	noteMayHappenLater(line: number): Promise<void>;
	close(): Promise<void>;
}

/** Reads a journal and writes nothing. Throws a `UsageError` if it is for another operation or service. */
export function findJournal(path: string, { operation, url }: JournalSubject): FoundJournal | undefined {
	const found = readJournalFile(path);
	const { header } = found ?? {};
	if (header === undefined) return undefined;
	if (header.operation !== operation) {
		throw otherJournal(path, `it is for another operation (${header.operation}). Name another with --journal`);
	}
	if (header.url !== url) {
		throw otherJournal(
			path,
			`it is for another service (${header.url}). If this is the same service under another address, give that address: a new journal would send all lines again. If not, name another journal with --journal`,
		);
	}
	return found;
}

/** Throws a `UsageError` if the journal was begun for another reseller. */
export function refuseOtherReseller(path: string, found: FoundJournal | undefined, reseller: string): void {
	if (found === undefined || found.header.reseller === reseller) return;
	throw otherJournal(path, `it is for another reseller (${found.header.reseller}). Name another with --journal`);
}

/** The history of each line in a journal, by line number. */
export function readHistories(found: FoundJournal | undefined, operation: Change['operation']) {
	const histories = new Map<number, LineHistory>();
	for (const entry of found?.entries ?? []) {
		histories.set(entry.line, withEntry(histories.get(entry.line) ?? UNTOUCHED, entry, operation));
	}
	return histories;
}

/** Opens a journal for writing: a new one, or the found one without its torn end. */
export async function openJournal(
	path: string,
	header: JournalHeader,
	found: FoundJournal | undefined,
): Promise<Journal> {
	const { operation } = header;
	const histories = readHistories(found, operation);
	const heading = `${JSON.stringify(header)}\n`;
	let file: FileHandle;
	/** A file that was opened for appending writes only at its end. */
	let inPlace: FileHandle;
	try {
		if (found === undefined) {
			await writeUnfinished(path, heading);
			await finishFile(path);
		}
		file = await openWhole(path, found);
		inPlace = await open(path, 'r+');
	} catch (cause) {
		throw new CommandError('journal_failed', `the journal could not be opened: ${(cause as Error).message}`);
	}
	const append = appenderTo(file);
	const history = (line: number) => histories.get(line) ?? UNTOUCHED;
	let bytes = found?.wholeBytes ?? Buffer.byteLength(heading);
	/** Where each line that this run began says that its request may take effect later. */
	const places = new Map<number, number>();

	async function record(line: number, writing: Promise<unknown>, after: () => LineHistory): Promise<void> {
		try {
			await writing;
		} catch (cause) {
			const message = `the journal could not be written, so nothing more was begun: ${(cause as Error).message}`;
			throw new CommandError('journal_failed', message);
		}
		histories.set(line, after());
	}

	return {
		history,
		append(entry) {
			const isBegun = entry.state === 'begun';
			const text = `${JSON.stringify(isBegun ? { ...entry, may_happen_later: false } : entry)}\n`;
			bytes += Buffer.byteLength(text);
			if (isBegun) places.set(entry.line, bytes - Buffer.byteLength('false}\n'));
			return record(entry.line, append(text), () => withEntry(history(entry.line), entry, operation));
		},
		noteMayHappenLater(line) {
			const writing = inPlace.write('true ', places.get(line)).then(() => inPlace.datasync());
			return record(line, writing, () => ({ ...history(line), mayHappenLater: true }));
		},
		async close() {
			await Promise.all([file.close(), inPlace.close()]);
		},
	};
}

/** Ends a journal whose remaining lines went to another file. Durable when it resolves. */
export async function endJournal(path: string, found: FoundJournal, last: HandedOn): Promise<void> {
	try {
		const file = await openWhole(path, found);
		await appenderTo(file)(`${JSON.stringify(last)}\n`).finally(() => file.close());
	} catch (cause) {
		throw new CommandError('journal_failed', `the journal could not be written: ${(cause as Error).message}`);
	}
}

function appenderTo(file: FileHandle) {
	return durableAppender({ appendFile: (text) => file.appendFile(text), flush: () => file.datasync() });
}

async function openWhole(path: string, found: FoundJournal | undefined): Promise<FileHandle> {
	const file = await open(path, 'a');
	if (found !== undefined) await file.truncate(found.wholeBytes);
	return file;
}

function otherJournal(path: string, why: string): UsageError {
	return new UsageError(`the journal ${path} is not for this command: ${why}. Nothing was sent`, 'other_journal');
}
