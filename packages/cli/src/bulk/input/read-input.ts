import { createHash } from 'node:crypto';
import { normalizeUsername, USERNAME_RULE } from '@bursar/client';
import { parseCsvLine, UsageError } from '@bursar/terminal';
import { parseCents } from '../../arguments.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { firstLineKind, USERNAME_HEADING } from './heading.ts';

/** One line of the file of a bulk form. */
export interface InputLine {
	/** Its line number in the file, from 1. */
	readonly line: number;
	/** Normalized. */
	readonly username: string;
	/** USD cents; 0 if the form has no amounts. */
	readonly amountCents: number;
}

export interface Input {
	readonly lines: readonly InputLine[];
	/** The digest of the file's bytes, in hex. A journal belongs to it. */
	readonly sha256: string;
	/** The line number of the heading, if there is one. */
	readonly headingLine?: number;
}

export interface InputForm {
	readonly hasAmounts: boolean;
}

const BAD_LINES_SHOWN = 5;
export const MOST_INPUT_MEBIBYTES = 64;
/** Far more than the longest username and amount need. */
const LONGEST_LINE = 1024;

/** Reads and checks the whole file before anything is sent. Throws a `UsageError` that names the bad lines. */
export function readInput(file: string, form: InputForm): Input {
	const bytes = readBytes(file);
	const lines: InputLine[] = [];
	const problems = badLines(file);
	const firstLineOf = new Map<string, number>();
	let headingLine: number | undefined;
	let isFirst = true;
	for (const { line, text } of linesOf(bytes.toString('utf8').replace(/^\ufeff/, ''))) {
		const cells = cellsOf(text);
		const mayBeHeading = isFirst;
		isFirst = false;
		if (typeof cells === 'string') {
			problems.add(line, cells);
			continue;
		}
		const kind = mayBeHeading ? firstLineKind(cells, form.hasAmounts) : 'line';
		if (kind === 'heading') {
			headingLine = line;
			continue;
		}
		const parsed = kind === 'doubtful' ? DOUBTFUL : parseLine(cells, form);
		if (typeof parsed === 'string') {
			problems.add(line, parsed);
			continue;
		}
		const first = firstLineOf.get(parsed.username);
		// Two transfers to one username may be meant. The same username twice without amounts is a mistake.
		if (first !== undefined && !form.hasAmounts) problems.add(line, `the same username as in line ${first}`);
		else firstLineOf.set(parsed.username, line);
		lines.push({ line, ...parsed });
	}
	problems.refuse();
	if (lines.length === 0) throw new UsageError(`${file} has no lines to work on`, 'invalid_input');
	return { lines, sha256: sha256Of(bytes), ...(headingLine !== undefined && { headingLine }) };
}

export function sha256Of(content: Buffer | string): string {
	return createHash('sha256').update(content).digest('hex');
}

const DOUBTFUL = `this looks like a heading. If it is one, make it ${USERNAME_HEADING}; if not, put the heading ${USERNAME_HEADING} above it`;

/** The trimmed lines, without blank lines and comments. A generator, because a large file has millions of lines. */
function* linesOf(text: string): Generator<{ line: number; text: string }> {
	for (let line = 1, start = 0; start < text.length; line++) {
		const newline = text.indexOf('\n', start);
		const end = newline === -1 ? text.length : newline;
		const trimmed = text.slice(start, end).trim();
		if (trimmed !== '' && !trimmed.startsWith('#')) yield { line, text: trimmed };
		start = end + 1;
	}
}

/** Returns the problem as a string. It does not repeat the text, because a wrong file may hold anything. */
function cellsOf(text: string): string[] | string {
	if (text.length > LONGEST_LINE) return `longer than ${LONGEST_LINE.toLocaleString('en')} characters`;
	return parseCsvLine(text) ?? 'a quote is not closed on this line, or is inside a cell';
}

function parseLine(cells: readonly string[], { hasAmounts }: InputForm): Omit<InputLine, 'line'> | string {
	if (cells.length !== (hasAmounts ? 2 : 1)) return `must be ${hasAmounts ? 'username,cents' : 'a username'}`;
	const [name = '', amount = ''] = cells;
	const username = normalizeUsername(name);
	if (username === undefined) return `this is not a valid username (${USERNAME_RULE})`;
	if (!hasAmounts) return { username, amountCents: 0 };
	const amountCents = parseCents(amount);
	return amountCents === undefined
		? 'the amount must be an integer of USD cents, at least 1'
		: { username, amountCents };
}

/** Counts bad lines and keeps only the first ones, because a wrong file may have millions. */
function badLines(file: string) {
	const shown: string[] = [];
	let count = 0;
	return {
		add(line: number, problem: string) {
			count++;
			if (shown.length < BAD_LINES_SHOWN) shown.push(`${file}:${line}: ${problem}`);
		},
		refuse() {
			if (count === 0) return;
			const more = count > shown.length ? `; and ${count - shown.length} more` : '';
			throw new UsageError(`${shown.join('; ')}${more}. Nothing was sent`, 'invalid_input');
		},
	};
}

function readBytes(file: string): Buffer {
	if (file === '-') throw new UsageError('--all needs a file, because its journal is stored next to it');
	const bytes = readRegularFile(file, MOST_INPUT_MEBIBYTES);
	if (bytes === undefined) throw new UsageError(`${file} does not exist. Nothing was sent`, 'unreadable_file');
	// Such a file is UTF-16 (some spreadsheets write it), compressed, or another binary format.
	if (bytes.includes(0)) throw new UsageError(`${file} is not UTF-8 text. Nothing was sent`, 'invalid_input');
	return bytes;
}
