import { statSync } from 'node:fs';
import { UsageError } from '@bursar/terminal';
import type { Change } from './changes.ts';
import type { JournalEntry } from './history.ts';
import { readRegularFile } from './regular-file.ts';

/** More than millions of lines write. */
const MOST_MEBIBYTES = 1024;
/** More than all lines that are worked on at a time write together. */
const MOST_TORN_BYTES = 64 * 1024;

/** Of what a journal is written in. */
export const JOURNAL_VERSION = 2;

/** The first line of a journal: what it belongs to. No line of it holds a secret. */
export interface JournalHeader {
	readonly version: typeof JOURNAL_VERSION;
	readonly operation: Change['operation'];
	/** Base address of the service. */
	readonly url: string;
	/** Whose sub-users these are. */
	readonly reseller: string;
	readonly input_sha256: string;
	readonly began: string;
}

/** The last line of a journal whose lines were left to another file: from here on it is a receipt only. */
export interface HandedOn {
	readonly state: 'handed_on';
	/** Where the lines that were left went, and the digest of that file as it was written. */
	readonly to: string;
	readonly sha256: string;
	/** For people who read the journal. */
	readonly at: string;
}

/** A journal as it was found. */
export interface FoundJournal {
	readonly header: JournalHeader;
	readonly entries: readonly JournalEntry[];
	readonly handedOn?: HandedOn | undefined;
	/** How much of the file is whole: what a crash has left half-written comes after it. */
	readonly wholeBytes: number;
}

/** Reads a journal; `undefined` where there is none. Throws a `UsageError` where the file is something else. */
export function readJournalFile(path: string): FoundJournal | undefined {
	const bytes = readRegularFile(path, MOST_MEBIBYTES);
	if (bytes === undefined) return undefined;
	refuseHardLinks(path);
	const [first, ...rest] = wholeLines(bytes);
	const header = readHeader(first?.value);
	if (first === undefined || header === undefined) throw notAJournal(path, bytes);
	const torn = rest.findIndex(({ value }) => !isEntry(value));
	const whole = torn === -1 ? rest : rest.slice(0, torn);
	const wholeBytes = (whole.at(-1) ?? first).endsAt;
	// A crash leaves a torn end, no longer than what is written at once, and with nothing whole after it.
	const isTorn = bytes.length - wholeBytes <= MOST_TORN_BYTES;
	if (!isTorn || rest.slice(whole.length).some(({ value }) => isEntry(value))) {
		throw new UsageError(`${path} is damaged in line ${whole.length + 2}. Nothing was sent`, 'damaged_journal');
	}
	const values = whole.map(({ value }) => value as JournalEntry | HandedOn);
	return {
		header,
		entries: values.filter((value) => value.state !== 'handed_on'),
		handedOn: values.find((value) => value.state === 'handed_on'),
		wholeBytes,
	};
}

/** The lock stands beside one name of the journal: a run that knows it by another would not find it. */
function refuseHardLinks(path: string): void {
	const { nlink } = statSync(path);
	if (nlink <= 1) return;
	throw new UsageError(
		`the journal ${path} has ${nlink} names (hard links), and two runs could work with it at the same time. Make sure that none does, then keep one name and remove the others. Nothing was sent`,
		'linked_journal',
	);
}

function notAJournal(path: string, bytes: Buffer): UsageError {
	const what =
		bytes.length === 0 ? `the journal ${path} is empty` : `${path} is no journal of this version of bursarctl`;
	return new UsageError(
		`${what}. If any line of the file was sent before, what was done is lost with it, and a new journal would send all lines again. Only if none was, name another one with --journal. Nothing was sent`,
		bytes.length === 0 ? 'empty_journal' : 'not_a_journal',
	);
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
	const isHeader = header.version === JOURNAL_VERSION && texts.every((text) => typeof text === 'string');
	return isHeader ? (header as JournalHeader) : undefined;
}

function isEntry(value: unknown): boolean {
	const { state } = (value ?? {}) as { state?: unknown };
	if (state === 'handed_on') {
		const { to, sha256 } = value as Partial<HandedOn>;
		return typeof to === 'string' && typeof sha256 === 'string';
	}
	const { line, username } = (value ?? {}) as { line?: unknown; username?: unknown };
	if (!Number.isSafeInteger(line)) return false;
	return state === 'begun' ? typeof username === 'string' : ['done', 'not_done', 'unknown'].includes(state as string);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
