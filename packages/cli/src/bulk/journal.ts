import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError, UsageError } from '../failure.ts';
import type { Change } from './changes.ts';
import { durableAppender } from './durable-appender.ts';
import { type JournalEntry, type LineHistory, UNTOUCHED, withEntry } from './history.ts';
import { type FoundJournal, type JournalHeader, readJournalFile } from './journal-file.ts';

/** What a journal has to belong to. */
export type JournalSubject = Pick<JournalHeader, 'operation' | 'url' | 'input_sha256'>;

/** What is known of each line, and what becomes of them while they are worked on. */
export interface Journal {
	history(line: number): LineHistory;
	/** Resolves once it would survive a crash of the machine. Rejects where it could not be written. */
	append(entry: JournalEntry): Promise<void>;
	close(): Promise<void>;
}

/** Reads a journal; nothing is written. Throws a `UsageError` where it belongs to something else. */
export function findJournal(path: string, subject: JournalSubject): FoundJournal | undefined {
	const found = readJournalFile(path);
	const { header } = found ?? {};
	if (header === undefined) return found;
	const differs = (
		[
			['operation', `it is of another operation (${header.operation})`],
			['url', `it is of another service (${header.url})`],
			['input_sha256', 'the file has changed since it was begun'],
		] as const
	).find(([name]) => header[name] !== subject[name]);
	if (differs) throw otherJournal(path, differs[1]);
	return found;
}

/** Throws a `UsageError` where the journal was begun for another reseller. */
export function refuseOtherReseller(path: string, found: FoundJournal | undefined, reseller: string): void {
	if (found === undefined || found.header.reseller === reseller) return;
	throw otherJournal(path, `it is of another reseller (${found.header.reseller})`);
}

/** The histories that a journal tells, by line. */
export function readHistories(found: FoundJournal | undefined, operation: Change['operation']) {
	const histories = new Map<number, LineHistory>();
	for (const entry of found?.entries ?? []) {
		histories.set(entry.line, withEntry(histories.get(entry.line) ?? UNTOUCHED, entry, operation));
	}
	return histories;
}

/** Opens it for writing: a new one, or the one that was found, whose torn end is cut off. */
export async function openJournal(
	path: string,
	header: JournalHeader,
	found: FoundJournal | undefined,
): Promise<Journal> {
	const { operation } = header;
	const histories = readHistories(found, operation);
	let file: FileHandle;
	try {
		if (found === undefined) await beginFile(path, header);
		file = await open(path, 'a');
		if (found !== undefined) await file.truncate(found.wholeBytes);
	} catch (cause) {
		throw new CommandError('journal_failed', `the journal could not be opened: ${(cause as Error).message}`);
	}
	const append = durableAppender(file);
	const history = (line: number) => histories.get(line) ?? UNTOUCHED;
	return {
		history,
		async append(entry) {
			try {
				await append(`${JSON.stringify(entry)}\n`);
			} catch (cause) {
				const message = `the journal could not be written, so nothing more was begun: ${(cause as Error).message}`;
				throw new CommandError('journal_failed', message);
			}
			histories.set(entry.line, withEntry(history(entry.line), entry, operation));
		},
		close: () => file.close(),
	};
}

/** Under another name first, so that a journal has its header or does not exist. */
async function beginFile(path: string, header: JournalHeader): Promise<void> {
	const unfinished = `${path}.new`;
	const file = await open(unfinished, 'w', 0o600);
	await file.writeFile(`${JSON.stringify(header)}\n`);
	await file.sync();
	await file.close();
	await rename(unfinished, path);
	await syncFolder(dirname(path));
}

/** Without this the new name itself could be lost when the machine goes down. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await open(path);
	await folder.sync().finally(() => folder.close());
}

function otherJournal(path: string, why: string): UsageError {
	return new UsageError(
		`the journal ${path} does not belong to this: ${why}. Name another one with --journal. Nothing was sent`,
		'other_journal',
	);
}
