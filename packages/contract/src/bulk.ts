import { AMOUNT_HEADING, amountUnitOf, firstLineKind, hasReferences, USERNAME_HEADING } from './bulk-heading.ts';
import { parseCsvLine } from './parse-csv-line.ts';
import { isMovementReference, REFERENCE_MAX_LENGTH } from './reference.ts';
import { AMOUNT_PROBLEMS, type AmountUnit, readAmount } from './usd.ts';
import { normalizeUsername, USERNAME_RULE } from './username.ts';

export { AMOUNT_HEADING, REFERENCE_HEADING, USERNAME_HEADING } from './bulk-heading.ts';

/** One line of a file with which many sub-users are changed. */
export interface BulkLine {
	/** Its line number in the file, from 1. */
	readonly line: number;
	/** Normalized. */
	readonly username: string;
	/** USD cents; 0 if the form has no amounts. */
	readonly amountCents: number;
	/** What it is for. Absent: no reference. */
	readonly reference?: string;
}

/** What the lines of a file are: usernames, or `username,amount`, below a heading that says so also with a reference. */
export interface BulkForm {
	readonly hasAmounts: boolean;
}

/** Why a line is refused. `problem` does not repeat the text of the line, because a wrong file may hold anything. */
export interface BulkProblem {
	readonly line: number;
	readonly code: BulkProblemCode;
	/** The same in English. */
	readonly problem: string;
	/** The line that has the same username already, if that is the problem. */
	readonly firstLine?: number;
}

export type BulkProblemCode = keyof typeof BULK_PROBLEMS | 'same_username';

export interface BulkFile {
	readonly lines: readonly BulkLine[];
	/** The line number of the heading, if there is one. */
	readonly headingLine?: number;
	/** The first ones. If there is one, nothing of the file may be sent. */
	readonly problems: readonly BulkProblem[];
	/** How many lines are refused. */
	readonly problemCount: number;
}

/**
 * @bound Bad lines of a file for many sub-users: further ones are only counted, because a wrong file may have
 * millions.
 */
const PROBLEMS_KEPT = 5;
/**
 * Far more than the longest username and amount need.
 * @bound Characters of a line of a file for many sub-users: a longer line is a bad one.
 */
const LONGEST_LINE = 1024;

/** What is wrong with a line, in English. */
export const BULK_PROBLEMS = {
	too_long: `longer than ${LONGEST_LINE.toLocaleString('en')} characters`,
	bad_quote: 'a quote is not closed on this line, or is inside a cell',
	not_one_username: 'must be a username',
	not_username_and_amount: 'must be username,amount',
	not_with_reference: 'must be username,amount,reference',
	invalid_username: `this is not a valid username (${USERNAME_RULE})`,
	doubtful_amount: `the amount is not clear. ${AMOUNT_PROBLEMS.doubtful}, or put the heading ${USERNAME_HEADING},amount_usd or ${USERNAME_HEADING},${AMOUNT_HEADING} above all lines`,
	invalid_amount: 'the amount must be US dollars with two decimals, like 5.00, at least 0.01',
	invalid_usd: 'the amount must be US dollars with at most two decimals, at least 0.01',
	invalid_cents: 'the amount must be a whole number of USD cents, at least 1',
	invalid_reference: `the reference must have 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters, without spaces, or be empty`,
	doubtful_heading: `this looks like a heading. If it is one, make it ${USERNAME_HEADING}; if not, put the heading ${USERNAME_HEADING} above it`,
} as const;

/** Checks all lines of a file. `text` has no byte order mark. */
export function readBulkFile(text: string, form: BulkForm): BulkFile {
	const lines: BulkLine[] = [];
	const problems: BulkProblem[] = [];
	let problemCount = 0;
	const firstLineOf = new Map<string, number>();
	let headingLine: number | undefined;
	let columns: AmountColumns = { unit: 'unsaid', hasReferences: false };
	let isFirst = true;

	function refuse(problem: BulkProblem): void {
		problemCount++;
		if (problems.length < PROBLEMS_KEPT) problems.push(problem);
	}
	for (const { line, text: lineText } of linesOf(text)) {
		const cells = cellsOf(lineText);
		const mayBeHeading = isFirst;
		isFirst = false;
		if (typeof cells === 'string') {
			refuse({ line, code: cells, problem: BULK_PROBLEMS[cells] });
			continue;
		}
		const kind = mayBeHeading ? firstLineKind(cells, form.hasAmounts) : 'line';
		if (kind === 'heading') {
			headingLine = line;
			columns = { unit: amountUnitOf(cells[1]) ?? 'unsaid', hasReferences: hasReferences(cells) };
			continue;
		}
		const parsed = kind === 'doubtful' ? 'doubtful_heading' : parseLine(cells, form, columns);
		if (typeof parsed === 'string') {
			refuse({ line, code: parsed, problem: BULK_PROBLEMS[parsed] });
			continue;
		}
		const first = firstLineOf.get(parsed.username);
		// Two transfers to one username may be meant. The same username twice without amounts is a mistake.
		if (first !== undefined && !form.hasAmounts) refuse(sameUsername(line, first));
		else firstLineOf.set(parsed.username, line);
		lines.push({ line, ...parsed });
	}
	return { lines, problems, problemCount, ...(headingLine !== undefined && { headingLine }) };
}

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

function cellsOf(text: string): string[] | keyof typeof BULK_PROBLEMS {
	if (text.length > LONGEST_LINE) return 'too_long';
	return parseCsvLine(text) ?? 'bad_quote';
}

function parseLine(
	cells: readonly string[],
	{ hasAmounts }: BulkForm,
	{ unit, hasReferences }: AmountColumns,
): Omit<BulkLine, 'line'> | keyof typeof BULK_PROBLEMS {
	if (!hasAmounts && cells.length !== 1) return 'not_one_username';
	if (hasAmounts && hasReferences && cells.length !== 3) return 'not_with_reference';
	if (hasAmounts && !hasReferences && cells.length !== 2) return 'not_username_and_amount';
	const [name = '', amount = '', reference = ''] = cells;
	const username = normalizeUsername(name);
	if (username === undefined) return 'invalid_username';
	if (!hasAmounts) return { username, amountCents: 0 };
	const amountCents = readAmount(amount, unit);
	if (amountCents === 'doubtful') return 'doubtful_amount';
	if (amountCents === 'unreadable' || amountCents === 0) return INVALID[unit];
	if (reference !== '' && !isMovementReference(reference)) return 'invalid_reference';
	return { username, amountCents, ...(reference !== '' && { reference }) };
}

/** What the heading says of the columns behind the usernames. */
interface AmountColumns {
	readonly unit: AmountUnit;
	readonly hasReferences: boolean;
}

const INVALID = { unsaid: 'invalid_amount', usd: 'invalid_usd', usd_cents: 'invalid_cents' } as const;

function sameUsername(line: number, firstLine: number): BulkProblem {
	return { line, code: 'same_username', problem: `the same username as in line ${firstLine}`, firstLine };
}
