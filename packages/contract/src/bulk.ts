import { type BulkForm, type Columns, columnsOf, NO_HEADING } from './bulk-columns.ts';
import { AMOUNT_HEADING, USERNAME_HEADING } from './bulk-heading.ts';
import { type LineTerms, readTerms, TERMS_PROBLEMS } from './bulk-terms.ts';
import { parseCsvLine, type Separator, separatorOf } from './parse-csv-line.ts';
import { isMovementReference } from './reference.ts';
import { AMOUNT_PROBLEMS, readAmount } from './usd.ts';
import { normalizeUsername, USERNAME_RULE } from './username.ts';

export type { BulkForm } from './bulk-columns.ts';
export { AMOUNT_HEADING, REFERENCE_HEADING, USERNAME_HEADING } from './bulk-heading.ts';
export { type LineTerms, TERMS_HEADINGS } from './bulk-terms.ts';
export { decodeBulkText } from './bulk-text.ts';

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
	/** What a new sub-user has, if the form has terms. */
	readonly terms?: LineTerms;
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
 * More than all that a line can say: so one that was read can be written once more with all columns.
 * @bound Characters of a line of a file for many sub-users: a longer line is a bad one.
 */
const LONGEST_LINE = 4096;

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
	...TERMS_PROBLEMS,
	needs_heading: `must be a username. If lines say more, put a heading above them, like ${USERNAME_HEADING},amount_usd,note`,
	unknown_column: 'this heading has a column that is not known, or one twice',
	not_as_heading: 'must have a cell for each column of the heading',
	doubtful_heading: `this looks like a heading. If it is one, make it ${USERNAME_HEADING}; if not, put the heading ${USERNAME_HEADING} above it`,
} as const;

/** Checks all lines of a file. `text` has no byte order mark. */
export function readBulkFile(text: string, form: BulkForm): BulkFile {
	const lines: BulkLine[] = [];
	const problems: BulkProblem[] = [];
	let problemCount = 0;
	const firstLineOf = new Map<string, number>();
	let headingLine: number | undefined;
	let layout: Layout | undefined;

	function refuse(problem: BulkProblem): void {
		problemCount++;
		if (problems.length < PROBLEMS_KEPT) problems.push(problem);
	}
	for (const { line, text: lineText } of linesOf(text)) {
		const isFirst = layout === undefined;
		layout ??= { separator: separatorOf(lineText.slice(0, LONGEST_LINE)), columns: NO_HEADING };
		const cells = cellsOf(lineText, layout.separator);
		if (typeof cells === 'string') {
			refuse({ line, code: cells, problem: BULK_PROBLEMS[cells] });
			continue;
		}
		// Spreadsheets end a file with rows that have only separators.
		if (cells.every((cell) => cell === '')) continue;
		const heading = isFirst ? columnsOf(cells, form) : 'line';
		if (typeof heading !== 'string') {
			headingLine = line;
			layout = { ...layout, columns: heading };
			continue;
		}
		const parsed = heading === 'line' ? parseLine(cells, form, layout) : heading;
		if (typeof parsed === 'string') {
			refuse({ line, code: parsed, problem: BULK_PROBLEMS[parsed] });
			// Below a heading that is not understood, each line would be wrong.
			if (parsed === 'unknown_column') break;
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

/** How the cells of a file stand. */
interface Layout {
	readonly separator: Separator;
	readonly columns: Columns;
}

/** The lines, without blank lines and comments. A generator, because a large file has millions of lines. */
function* linesOf(text: string): Generator<{ line: number; text: string }> {
	for (let line = 1, start = 0; start < text.length; line++) {
		const newline = text.indexOf('\n', start);
		const end = newline === -1 ? text.length : newline;
		const ended = text.slice(start, end);
		const trimmed = ended.trim();
		// A tab at its end may be a cell that is empty.
		if (trimmed !== '' && !trimmed.startsWith('#')) yield { line, text: ended.includes('\t') ? ended : trimmed };
		start = end + 1;
	}
}

function cellsOf(text: string, separator: Separator): string[] | keyof typeof BULK_PROBLEMS {
	if (text.length > LONGEST_LINE) return 'too_long';
	return parseCsvLine(text, separator) ?? 'bad_quote';
}

function parseLine(
	cells: readonly string[],
	{ hasAmounts, hasTerms = false }: BulkForm,
	{ columns, separator }: Layout,
): Omit<BulkLine, 'line'> | keyof typeof BULK_PROBLEMS {
	const misshapen = shapeProblem(cells, { hasAmounts, hasTerms }, columns);
	if (misshapen) return misshapen;
	const username = normalizeUsername(cells[0] ?? '');
	if (username === undefined) return 'invalid_username';
	if (!hasAmounts && !hasTerms) return { username, amountCents: 0 };
	const amount = columns.amount === undefined ? '' : (cells[columns.amount] ?? '');
	const read = hasTerms && amount === '' ? 0 : readAmount(withPoint(amount, separator), columns.unit);
	if (read === 'doubtful') return 'doubtful_amount';
	if (read === 'unreadable' || (read === 0 && amount !== '')) return INVALID[columns.unit];
	if (hasTerms) {
		const texts = new Map(Array.from(columns.terms, ([name, at]) => [name, cells[at] ?? '']));
		const terms = readTerms(texts, separator);
		if (typeof terms === 'string') return terms;
		return { username, amountCents: 0, terms: { amountCents: read, ...terms } };
	}
	const reference = columns.reference === undefined ? '' : (cells[columns.reference] ?? '');
	if (reference !== '' && !isMovementReference(reference)) return 'invalid_reference';
	return { username, amountCents: read, ...(reference !== '' && { reference }) };
}

function shapeProblem(
	{ length }: readonly string[],
	{ hasAmounts, hasTerms }: Required<BulkForm>,
	{ count, reference }: Columns,
): keyof typeof BULK_PROBLEMS | undefined {
	if (hasTerms) return length === count ? undefined : count === 1 ? 'needs_heading' : 'not_as_heading';
	if (!hasAmounts) return length === 1 ? undefined : 'not_one_username';
	if (reference === undefined) return length === 2 ? undefined : 'not_username_and_amount';
	return length === 3 ? undefined : 'not_with_reference';
}

/**
 * Where semicolons separate cells, a comma may stand before the decimals. With one or two decimals it can be nothing else: a
 * group of digits has three.
 */
function withPoint(amount: string, separator: Separator): string {
	return separator === ';' ? amount.replace(/^(\$?\d{1,16}),(\d{1,2})$/, '$1.$2') : amount;
}

const INVALID = { unsaid: 'invalid_amount', usd: 'invalid_usd', usd_cents: 'invalid_cents' } as const;

function sameUsername(line: number, firstLine: number): BulkProblem {
	return { line, code: 'same_username', problem: `the same username as in line ${firstLine}`, firstLine };
}
