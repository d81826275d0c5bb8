import { readBoundedFile } from '@bursar/terminal';
import { UsageError } from '../failure.ts';
import type { Change } from './changes.ts';
import type { JournalEntry } from './history.ts';

/** More than millions of lines write. */
const MOST_MEBIBYTES = 1024;

/** The first line of a journal: what it belongs to. No line of it holds a secret. */
export interface JournalHeader {
	readonly version: 1;
	readonly operation: Change['operation'];
	/** Base address of the service. */
	readonly url: string;
	/** Whose sub-users these are. */
	readonly reseller: string;
	readonly input_sha256: string;
	readonly began: string;
}

/** A journal as it was found. */
export interface FoundJournal {
	readonly header: JournalHeader;
	readonly entries: readonly JournalEntry[];
	/** How much of the file is whole: what a crash has left half-written comes after it. */
	readonly wholeBytes: number;
}

/** Reads a journal; `undefined` where there is none. Throws a `UsageError` where the file is something else. */
export function readJournalFile(path: string): FoundJournal | undefined {
	const bytes = readBytes(path);
	if (bytes === undefined || bytes.length === 0) return undefined;
	const [first, ...rest] = wholeLines(bytes);
	const header = readHeader(first?.value);
	if (first === undefined || header === undefined) {
		throw new UsageError(`${path} is no journal of bursarctl: name another one with --journal`, 'not_a_journal');
	}
	const torn = rest.findIndex(({ value }) => !isEntry(value));
	const whole = torn === -1 ? rest : rest.slice(0, torn);
	// A crash leaves a torn end. What is whole again after it was not left by one.
	if (rest.slice(whole.length).some(({ value }) => isEntry(value))) {
		throw new UsageError(`${path} is damaged in line ${whole.length + 2}`, 'damaged_journal');
	}
	return {
		header,
		entries: whole.map(({ value }) => value as JournalEntry),
		wholeBytes: (whole.at(-1) ?? first).endsAt,
	};
}

interface Line {
	readonly value: unknown;
	readonly endsAt: number;
}

/** The lines that end, parsed; `undefined` for what is no JSON. */
function wholeLines(bytes: Buffer): Line[] {
	const lines: Line[] = [];
	for (let start = 0; ; ) {
		const end = bytes.indexOf(0x0a, start);
		if (end === -1) return lines;
		lines.push({ value: parsed(bytes.toString('utf8', start, end)), endsAt: end + 1 });
		start = end + 1;
	}
}

function readHeader(value: unknown): JournalHeader | undefined {
	const header = (value ?? {}) as Partial<JournalHeader>;
	const texts = [header.operation, header.url, header.reseller, header.input_sha256];
	const isHeader = header.version === 1 && texts.every((text) => typeof text === 'string');
	return isHeader ? (header as JournalHeader) : undefined;
}

function isEntry(value: unknown): boolean {
	const { line, state } = (value ?? {}) as Partial<JournalEntry>;
	return Number.isSafeInteger(line) && ['begun', 'done', 'not_done', 'unknown'].includes(state as string);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function readBytes(path: string): Buffer | undefined {
	let bytes: Buffer | undefined;
	try {
		bytes = readBoundedFile(path, MOST_MEBIBYTES * 1024 ** 2);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') return undefined;
		throw new UsageError(`the journal ${path} cannot be read (${code})`, 'unreadable_file');
	}
	if (bytes === undefined) throw new UsageError(`${path} is larger than ${MOST_MEBIBYTES} MiB: it is no journal`);
	return bytes;
}
