/** The line that a heading of usernames alone consists of, and that every left file begins with. */
export const USERNAME_HEADING = 'username';
export const AMOUNT_HEADING = 'amount_usd_cents';

/** Words over a column of amounts, without what separates their parts. Dollars are not among them. */
const AMOUNT_WORDS = ['amount', 'cents', 'amountcents', 'usdcents', 'amountusdcents'];

/** Words that are valid usernames, and far more often a heading than a sub-user. */
const DOUBTFUL_WORDS = /^((sub[._]?)?users?|user[._]name|usernames|names?|logins?|accounts?|customers?|clients?)$/;

/**
 * What the first line of a file is: a heading; a line to work on; or one that might be either. The last is for a
 * person to say: a heading that is worked on costs the fee of a create.
 */
export function firstLineKind(cells: readonly string[], hasAmounts: boolean): 'heading' | 'line' | 'doubtful' {
	const [name = '', amount = ''] = cells.map((cell) => cell.toLowerCase());
	const isName = name.replace(/[\s-]/g, '') === USERNAME_HEADING;
	const isDoubtful = DOUBTFUL_WORDS.test(name);
	// No amount is a word, so a word in its place leaves no doubt.
	if (hasAmounts) {
		const isHeading =
			cells.length === 2 && (isName || isDoubtful) && AMOUNT_WORDS.includes(amount.replace(/[\s_-]/g, ''));
		return isHeading ? 'heading' : 'line';
	}
	if (cells.length !== 1) return 'line';
	if (isName) return 'heading';
	return isDoubtful ? 'doubtful' : 'line';
}
