import { statSync } from 'node:fs';
import { UsageError } from '@bursar/terminal';
import type { Change } from '../changes.ts';
import { readRegularFile } from '../files/regular-file.ts';
import type { JournalEntry } from './line-history.ts';

/** @bound A journal: a larger one is refused. Those of millions of lines are smaller. */
const MOST_MEBIBYTES = 1024;
/** More than all lines in progress write together. */
const MOST_TORN_BYTES = 64 * 1024;

/** The version of the journal format. */
export const JOURNAL_VERSION = 3;

/** The first line of a journal, which says what the journal belongs to. No line of a journal holds a secret. */
export interface JournalHeader {
	readonly version: typeof JOURNAL_VERSION;
	readonly operation: Change['operation'];
	/** Base address of the service. */
	readonly url: string;
	/** The reseller that owns the sub-users. */
	readonly reseller: string;
	readonly input_sha256: string;
	readonly began: string;
}

/** The last line of a journal whose remaining lines went to another file. From then on, it is only a receipt. */
export interface HandedOn {
	readonly state: 'handed_on';
	/** The file with the remaining lines, and its digest when it was written. */
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
	/** How many bytes are complete. A half-written end, left by a crash, may follow. */
	readonly completeBytes: number;
}

/** Reads a journal; `undefined` if there is none. Throws a `UsageError` if the file is not a journal. */
export function readJournalFile(path: string): FoundJournal | undefined {
	const bytes = readRegularFile(path, MOST_MEBIBYTES);
	if (bytes === undefined) return undefined;
	refuseHardLinks(path);
	const [first, ...rest] = completeLines(bytes);
	const header = readHeader(first?.value);
	if (first === undefined || header === undefined) throw notAJournal(path, bytes);
	const torn = rest.findIndex(({ value }) => !isEntry(value));
	const whole = torn === -1 ? rest : rest.slice(0, torn);
	const completeBytes = (whole.at(-1) ?? first).endsAt;
	// A crash leaves a torn end: not longer than one write, and without a complete line after it.
	const isTorn = bytes.length - completeBytes <= MOST_TORN_BYTES;
	if (!isTorn || rest.slice(whole.length).some(({ value }) => isEntry(value))) {
		throw new UsageError(`${path} is damaged in line ${whole.length + 2}. Nothing was sent`, 'damaged_journal');
	}
	const values = whole.map(({ value }) => value as JournalEntry | HandedOn);
	return {
		header,
		entries: values.filter((value) => value.state !== 'handed_on'),
		handedOn: values.find((value) => value.state === 'handed_on'),
		completeBytes,
	};
}

/** The lock is next to one name of the journal. A run that uses another name would not find it. */
function refuseHardLinks(path: string): void {
	const { nlink } = statSync(path);
	if (nlink <= 1) return;
	throw new UsageError(
		`the journal ${path} has ${nlink} names (hard links), so two runs could use it at the same time. Make sure that none does, then keep one name and remove the others. Nothing was sent`,
		'linked_journal',
	);
}

function notAJournal(path: string, bytes: Buffer): UsageError {
	const what =
		bytes.length === 0 ? `the journal ${path} is empty` : `${path} is not a journal of this version of bursarctl`;
	return new UsageError(
		`${what}. If any line of the file was sent before, a new journal would send all lines again. Only if none was, name another journal with --journal. Nothing was sent`,
		bytes.length === 0 ? 'empty_journal' : 'not_a_journal',
	);
}

interface Line {
	readonly value: unknown;
	readonly endsAt: number;
}

/** The complete lines, parsed. A line that is not JSON has the value `undefined`. */
function completeLines(bytes: Buffer): Line[] {
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
	const { line, at, expires, username, change_id: changeId } = (value ?? {}) as Readonly<Record<string, unknown>>;
	if (!Number.isSafeInteger(line)) return false;
	if (state === 'begun') {
		return Number.isSafeInteger(expires) && [at, username, changeId].every((text) => typeof text === 'string');
	}
	return state === 'done' || state === 'not_done';
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
