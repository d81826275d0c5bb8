import { createHash } from 'node:crypto';
import { normalizeUsername } from '@bursar/client';
import { readBoundedFile } from '@bursar/terminal';
import { parseCents } from '../arguments.ts';
import { UsageError } from '../failure.ts';

/** One line of the file of a bulk form. */
export interface InputLine {
	/** Where it stands in the file, from 1. */
	readonly line: number;
	/** In its one stored form. */
	readonly username: string;
	/** USD cents; 0 where the form has no amounts. */
	readonly amountCents: number;
}

export interface Input {
	readonly lines: readonly InputLine[];
	/** Of the bytes of the file, in hex: what a journal belongs to. */
	readonly sha256: string;
}

export interface InputForm {
	readonly hasAmounts: boolean;
}

const BAD_LINES_SHOWN = 5;
const MOST_MEBIBYTES = 64;

/** Reads and checks the whole file before anything is sent. Throws a `UsageError` that names each bad line. */
export function readInput(file: string, form: InputForm): Input {
	const bytes = readBytes(file);
	const lines: InputLine[] = [];
	const problems: string[] = [];
	const firstLineOf = new Map<string, number>();
	const texts = bytes
		.toString('utf8')
		.replace(/^\ufeff/, '')
		.split('\n');
	for (const [place, text] of texts.entries()) {
		const line = place + 1;
		const trimmed = text.trim();
		if (trimmed === '' || trimmed.startsWith('#')) continue;
		const parsed = parseLine(trimmed, form);
		if (typeof parsed === 'string') {
			problems.push(`${file}:${line}: ${parsed}`);
			continue;
		}
		const first = firstLineOf.get(parsed.username);
		// Twice the same amount may well be meant; twice the same name without one is a mistake.
		if (first !== undefined && !form.hasAmounts)
			problems.push(`${file}:${line}: the same username as in line ${first}`);
		else firstLineOf.set(parsed.username, line);
		lines.push({ line, ...parsed });
	}
	refuse(problems);
	if (lines.length === 0) throw new UsageError(`${file} has no lines to work on`, 'invalid_input');
	return { lines, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The text itself is not said again: a wrong file may hold anything. */
function parseLine(text: string, { hasAmounts }: InputForm): Omit<InputLine, 'line'> | string {
	const cells = text.split(',').map((cell) => cell.trim());
	if (cells.length !== (hasAmounts ? 2 : 1)) return `must be ${hasAmounts ? 'username,cents' : 'a username'}`;
	const [name = '', amount = ''] = cells;
	const username = normalizeUsername(name);
	if (username === undefined) return 'that is no username';
	if (!hasAmounts) return { username, amountCents: 0 };
	const amountCents = parseCents(amount);
	return amountCents === undefined
		? 'the amount must be an integer of USD cents, at least 1'
		: { username, amountCents };
}

function refuse(problems: readonly string[]): void {
	if (problems.length === 0) return;
	const more = problems.length - BAD_LINES_SHOWN;
	const shown = problems.slice(0, BAD_LINES_SHOWN).join('; ');
	throw new UsageError(`${shown}${more > 0 ? `; and ${more} more` : ''}. Nothing was sent`, 'invalid_input');
}

function readBytes(file: string): Buffer {
	if (file === '-') throw new UsageError('--all needs a file: its journal stands beside it');
	let bytes: Buffer | undefined;
	try {
		bytes = readBoundedFile(file, MOST_MEBIBYTES * 1024 ** 2);
	} catch (cause) {
		throw new UsageError(`${file} cannot be read (${(cause as NodeJS.ErrnoException).code})`, 'unreadable_file');
	}
	if (bytes !== undefined) return bytes;
	throw new UsageError(`${file} is larger than ${MOST_MEBIBYTES} MiB: split it. Nothing was sent`, 'invalid_input');
}
