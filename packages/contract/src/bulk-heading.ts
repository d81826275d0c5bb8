import type { AmountUnit } from './usd.ts';

/** The heading over usernames. Every file that `--left` writes begins with it. */
export const USERNAME_HEADING = 'username';
export const AMOUNT_HEADING = 'amount_usd_cents';
/** The heading over references, which only a file with a heading can have. */
export const REFERENCE_HEADING = 'reference';

/** Words over a column of amounts, without separators, and the unit that they name. */
const AMOUNT_WORDS: Readonly<Record<AmountUnit, readonly string[]>> = {
	unsaid: ['amount'],
	usd: ['usd', 'dollars', 'amountusd', 'amountdollars'],
	usd_cents: ['cents', 'amountcents', 'usdcents', 'amountusdcents'],
};
const UNITS = Object.keys(AMOUNT_WORDS) as AmountUnit[];

/** Valid usernames that are far more often a heading than a sub-user. */
const DOUBTFUL_WORDS = /^((sub[._]?)?users?|user[._]name|usernames|names?|logins?|accounts?|customers?|clients?)$/;

/**
 * Whether the first line of a file is a heading, a line to do, or doubtful. A person must decide about a doubtful line,
 * because a create for a heading would cost the fee.
 */
export function firstLineKind(cells: readonly string[], hasAmounts: boolean): 'heading' | 'line' | 'doubtful' {
	const name = cells[0] ?? '';
	const isName = isUsernameHeading(name);
	const isDoubtful = isDoubtfulHeading(name);
	// An amount is never a word. So a word at its position is certainly a heading.
	if (hasAmounts) {
		const isHeading = isAmountHeading(cells) && (isName || isDoubtful) && amountUnitOf(cells[1]) !== undefined;
		return isHeading ? 'heading' : 'line';
	}
	if (cells.length !== 1) return 'line';
	if (isName) return 'heading';
	return isDoubtful ? 'doubtful' : 'line';
}

export function isUsernameHeading(heading: string): boolean {
	return heading.toLowerCase().replace(/[\s-]/g, '') === USERNAME_HEADING;
}

export function isDoubtfulHeading(heading: string): boolean {
	return DOUBTFUL_WORDS.test(heading.toLowerCase());
}

function isAmountHeading(cells: readonly string[]): boolean {
	return cells.length === 2 || hasReferences(cells);
}

/** Whether a heading has a column of references. */
export function hasReferences({ length, 2: third }: readonly string[]): boolean {
	return length === 3 && third?.trim().toLowerCase() === REFERENCE_HEADING;
}

/** A heading without separators, in lowercase. */
export function headingWord(heading: string): string {
	return heading.toLowerCase().replace(/[\s_()-]/g, '');
}

/** The unit of the amounts below this heading; `undefined` if it is no heading of amounts. */
export function amountUnitOf(heading = ''): AmountUnit | undefined {
	const word = headingWord(heading);
	return UNITS.find((unit) => AMOUNT_WORDS[unit].includes(word));
}
