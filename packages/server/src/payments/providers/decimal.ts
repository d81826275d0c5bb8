import { ProviderFailedError } from './ask-provider.ts';

/** No decimal of BTCPay Server has more places. */
const PLACES = 28;
/** Longer texts are no amounts. */
const FORM = /^(?<sign>-?)(?<whole>\d{1,30})(?:\.(?<part>\d{1,28}))?$/;
const ONE = 10n ** BigInt(PLACES);

/** An exact decimal: a whole number of 10^-28. */
export type Decimal = bigint;

/** Reads a decimal like `0.00012`, exactly. Throws `ProviderFailedError` if it is none. */
export function readDecimal(text: unknown): Decimal {
	const { sign, whole, part = '' } = (typeof text === 'string' && FORM.exec(text)?.groups) || {};
	if (whole === undefined) throw new ProviderFailedError('an amount is no decimal number');
	const value = BigInt(whole + part.padEnd(PLACES, '0'));
	return sign === '-' ? -value : value;
}

/** The exact sum of products, in hundredths, rounded down. Without products it is 0. Throws `ProviderFailedError` if it is too large. */
export function hundredthsOf(products: readonly (readonly [Decimal, Decimal])[]): number {
	const sum = products.reduce((total, [one, other]) => total + one * other, 0n);
	const unit = (ONE * ONE) / 100n;
	const hundredths = Number(sum / unit - (sum % unit < 0n ? 1n : 0n));
	if (!Number.isSafeInteger(hundredths)) throw new ProviderFailedError('an amount is too large');
	return hundredths;
}

/** A decimal in hundredths, rounded down. */
export function inHundredths(value: Decimal): number {
	return hundredthsOf([[value, ONE]]);
}
