import { MAX_CENTS } from './limits.ts';

/** USD cents as people write dollars: `12.34`. */
export function usd(cents: number): string {
	const digits = String(Math.abs(cents)).padStart(3, '0');
	return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The unit of a written amount. `unsaid`: no text near it gives the unit, so the amount must show it. */
export type AmountUnit = 'usd' | 'usd_cents' | 'unsaid';

/** Why a text is not an amount. `doubtful`: a whole number whose unit is not written could be dollars or cents. */
export type AmountProblem = 'doubtful' | 'unreadable';

/** The same in English. It does not repeat the text, which may be a secret in a wrong field. */
export const AMOUNT_PROBLEMS: Readonly<Record<AmountProblem, string>> = {
	doubtful: 'It could be dollars or cents: write 5.00 for five dollars or 0.05 for five cents',
	unreadable: 'It must be US dollars with two decimals, like 5.00',
};

/** Sixteen digits have room for the largest amount. They are too few for one that JavaScript would round to it. */
const FORMS: Readonly<Record<AmountUnit, RegExp>> = {
	unsaid: /^\$?(?<whole>\d{1,16})\.(?<decimals>\d\d)$/,
	usd: /^\$?(?<whole>\d{1,16})(?:\.(?<decimals>\d\d?))?$/,
	usd_cents: /^(?<whole>\d{1,16})$/,
};

/**
 * Reads an amount from a person or a file, exactly, in USD cents from 0. If its unit is not written, an amount is dollars
 * with exactly two decimals: `5.00`, `$5.00`, `0.05`. A bare `5` is refused, because one reading of it would be a hundred
 * times the other (decision 0076).
 */
export function readAmount(text: string, unit: AmountUnit = 'unsaid'): number | AmountProblem {
	const { whole, decimals = '' } = FORMS[unit].exec(text)?.groups ?? {};
	if (whole === undefined) return unit === 'unsaid' && /^\$?\d{1,16}$/.test(text) ? 'doubtful' : 'unreadable';
	const cents = Number(unit === 'usd_cents' ? whole : whole + decimals.padEnd(2, '0'));
	return cents <= MAX_CENTS ? cents : 'unreadable';
}
