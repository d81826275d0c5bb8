import { amountUnitOf, firstLineKind, hasReferences, isDoubtfulHeading, isUsernameHeading } from './bulk-heading.ts';
import { type TermsHeading, termsHeadingOf } from './bulk-terms.ts';
import type { AmountUnit } from './usd.ts';

/** What the lines of a file are: usernames, or `username,amount`, below a heading that says so also with a reference. */
export interface BulkForm {
	readonly hasAmounts: boolean;
	/** Whether a line may also say, below a heading, what a new sub-user has: `TERMS_HEADINGS`, and an amount. */
	readonly hasTerms?: boolean;
}

/** What stands in the cells of a line, by their positions. The first one is the username. */
export interface Columns {
	readonly count: number;
	/** Absent: lines have no amounts. */
	readonly amount?: number;
	readonly unit: AmountUnit;
	/** Of a transfer. Absent: there is none. */
	readonly reference?: number;
	/** Of new sub-users. */
	readonly terms: ReadonlyMap<TermsHeading, number>;
}

/** Without a heading, a line is a username, or a username and an amount. */
export const NO_HEADING: Columns = { count: 1, amount: 1, unit: 'unsaid', terms: new Map() };

/** The columns that the first line of a file names; `line` if it is no heading; or what is wrong with it. */
export function columnsOf(
	cells: readonly string[],
	{ hasAmounts, hasTerms = false }: BulkForm,
): Columns | 'line' | 'doubtful_heading' | 'unknown_column' {
	if (hasTerms && cells.length > 1) return termsColumns(cells);
	const kind = firstLineKind(cells, hasAmounts);
	if (kind !== 'heading') return kind === 'doubtful' ? 'doubtful_heading' : 'line';
	const columns = { ...NO_HEADING, count: cells.length, unit: amountUnitOf(cells[1]) ?? 'unsaid' };
	return hasReferences(cells) ? { ...columns, reference: 2 } : columns;
}

function termsColumns([username = '', ...others]: readonly string[]): Columns | 'line' | 'unknown_column' {
	if (!isUsernameHeading(username) && !isDoubtfulHeading(username)) return 'line';
	const terms = new Map<TermsHeading, number>();
	let amount: number | undefined;
	let unit: AmountUnit = 'unsaid';
	for (const [index, heading] of others.entries()) {
		const named = amountUnitOf(heading);
		const name = termsHeadingOf(heading);
		if (named && amount === undefined) [amount, unit] = [index + 1, named];
		else if (!named && name && !terms.has(name)) terms.set(name, index + 1);
		else return 'unknown_column';
	}
	return { count: others.length + 1, ...(amount !== undefined && { amount }), unit, terms };
}
