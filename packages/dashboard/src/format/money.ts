import { MAX_CENTS, MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { locale } from '../preferences/language.ts';
import { readDigits, typedDigits } from './number.ts';

const DOLLARS = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const dollars = new Intl.NumberFormat(locale, DOLLARS);
const pricesOfUnits = new Intl.NumberFormat(locale, { ...DOLLARS, maximumFractionDigits: 6 });
/** The typographic minus, which is as wide as a digit. */
const MINUS = '\u2212';
const MICRO_USD = 1_000_000;

/** USD cents as the reader writes dollars, like `$1,234.50` or `1.234,50 $`. No cent is rounded. */
export function moneyText(cents: number): string {
	const size = Math.abs(cents);
	const rest = size % 100;
	const parts = dollars.formatToParts((size - rest) / 100);
	const text = parts.map(({ type, value }) => (type === 'fraction' ? String(rest).padStart(2, '0') : value)).join('');
	return `${cents < 0 ? MINUS : ''}${text}`;
}

/** How a balance changed: `+$5.00` or `−$0.10`. */
export function changeText(cents: number): string {
	return cents > 0 ? `+${moneyText(cents)}` : moneyText(cents);
}

/** Micro-dollars of a price, like `$3.50`. */
export function priceText(microUsd: number): string {
	return pricesOfUnits.format(microUsd / MICRO_USD);
}

/** Cents as they are typed into a field, like `1234.50`. */
export function typedMoney(cents: number): string {
	const rest = cents % 100;
	return typedDigits({ whole: String((cents - rest) / 100), part: String(rest).padStart(2, '0') });
}

/** Without the sign for dollars, and without spaces around. */
function withoutDollarSign(text: string): string {
	return text.replace(/^\s*\$|\$\s*$/, '').trim();
}

/**
 * A typed amount of dollars and cents, in USD cents: `12`, `12.3`, `12.30`, `$1,234.50`, with the separators of the
 * reader. `undefined` for anything else, `12,30` and `1.234` among it: they could mean two amounts. Digits become an
 * integer directly, never a fraction. `too_large` is more than any balance can be.
 */
export function parseMoney(text: string): number | 'too_large' | undefined {
	const digits = readDigits(withoutDollarSign(text), 2, dollars);
	if (!digits) return undefined;
	const cents = Number(digits.whole + digits.part.padEnd(2, '0'));
	return cents <= MAX_CENTS ? cents : 'too_large';
}

const PRICE_DECIMALS = 6;

/** A typed price of a GB, in micro-dollars; or why the text is none; or that nothing was typed. */
type TypedPrice =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: 'unreadable' | 'zero' | 'too_large' }
	| { readonly state: 'right'; readonly price: number };

export function typedPrice(text: string): TypedPrice {
	const typed = withoutDollarSign(text);
	if (typed === '') return { state: 'empty' };
	const digits = readDigits(typed, PRICE_DECIMALS);
	if (!digits) return { state: 'wrong', problem: 'unreadable' };
	const price = Number(digits.whole + digits.part.padEnd(PRICE_DECIMALS, '0'));
	if (price === 0) return { state: 'wrong', problem: 'zero' };
	return price > MAX_PRICE_MICRO_USD ? { state: 'wrong', problem: 'too_large' } : { state: 'right', price };
}

/** Why an amount cannot be moved. */
export type AmountProblem = 'unreadable' | 'zero' | 'too_much' | 'too_large';

/** An amount that can be moved, in USD cents; or why it cannot be; or that none was typed. */
export type TypedAmount =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: AmountProblem }
	| { readonly state: 'right'; readonly cents: number };

/** Reads an amount as it was typed. It is moved from one balance to another one, both in USD cents. */
export function typedAmount(text: string, { from, to }: { readonly from: number; readonly to: number }): TypedAmount {
	if (text.trim() === '') return { state: 'empty' };
	const cents = parseMoney(text);
	if (cents === undefined) return { state: 'wrong', problem: 'unreadable' };
	if (cents === 0) return { state: 'wrong', problem: 'zero' };
	if (cents === 'too_large') return { state: 'wrong', problem: from < MAX_CENTS ? 'too_much' : 'too_large' };
	if (cents > from) return { state: 'wrong', problem: 'too_much' };
	return to + cents > MAX_CENTS ? { state: 'wrong', problem: 'too_large' } : { state: 'right', cents };
}
