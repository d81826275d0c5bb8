import { texts } from '../preferences/catalogue.ts';
import { locale, numberFormat } from '../preferences/language.ts';

const decimal = numberFormat.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** A number as the reader writes it, like `5,000` or `5.000`. */
export function numberText(value: number): string {
	return numberFormat.format(value);
}

const share = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A part of a whole, which is 1, like `12.5%` and `5.0%`. */
export function shareText(part: number): string {
	return share.format(part);
}

const change = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 });

const numberTexts = texts('numberTexts', { times: '{factor} times as much' });

/** From the first factor on, the factor says more than a percentage. Beyond the second one, so little was before that neither says much. */
const MANY_TIMES = 10;
const TOO_MANY_TIMES = 100;

/** How a number differs from an earlier one: like `+12%`, or `12 times as much`. `undefined`: only both numbers say it. */
export function growthText(now: number, before: number): string | undefined {
	const factor = now / before;
	if (before <= 0 || factor > TOO_MANY_TIMES) return undefined;
	return factor < MANY_TIMES ? change.format(factor - 1) : numberTexts.times(numberText(Math.round(factor)));
}

/** The digits of a typed number. `part` stands behind the decimal separator, and may be empty. */
interface TypedDigits {
	readonly whole: string;
	readonly part: string;
}

/** Spaces of each width, and both apostrophes, separate groups alike. */
function plainSeparators(text: string): string {
	return text.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u2019', "'");
}

/**
 * Reads a number exactly, as the reader writes it: groups of digits are separated as `format` does it, or not at all.
 * `undefined` if it is anything else, or if it could mean two numbers: `1,234` may have a group or three decimals, unless
 * there are at most two.
 */
export function readDigits(text: string, decimals: number, format = numberFormat): TypedDigits | undefined {
	const [typed = '', part = '', ...more] = plainSeparators(text).split(decimal);
	const hasDecimal = part !== '' && more.length === 0;
	if (!(hasDecimal ? new RegExp(`^\\d{1,${decimals}}$`).test(part) : !text.includes(decimal))) return undefined;
	if (/^\d+$/.test(typed)) return { whole: typed, part };
	const whole = typed.replace(/[., ']/g, '');
	if (!/^[1-9]\d*$/.test(whole) || plainSeparators(wholeText(whole, format)) !== typed) return undefined;
	const isAmbiguous = !hasDecimal && decimals > 2 && whole.length < 7 && /[.,]/.test(typed);
	return isAmbiguous ? undefined : { whole, part };
}

/** A whole number of any size, in groups. */
function wholeText(digits: string, format: Intl.NumberFormat): string {
	return format
		.formatToParts(BigInt(digits))
		.filter(({ type }) => type === 'integer' || type === 'group')
		.map(({ value }) => value)
		.join('');
}

/** A number as it is typed into a field: without groups. */
export function typedDigits({ whole, part }: TypedDigits): string {
	return part === '' ? whole : `${whole}${decimal}${part}`;
}

/** Whether decimals are still to be typed. */
export function isUnfinished(text: string): boolean {
	return text.endsWith(decimal);
}
