import { usd } from './usd.ts';

const DECIMALS = 6;

/** A price in micro-dollars as people write dollars, exactly: `3.50`, `0.000001`. */
export function priceText(microUsd: number): string {
	const digits = String(microUsd).padStart(DECIMALS + 1, '0');
	const decimals = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0');
	return `${digits.slice(0, -DECIMALS)}.${decimals}`;
}

/** Reads dollars with up to six decimals, exactly, as micro-dollars; `undefined` if it is anything else. */
export function readPrice(text: string): number | undefined {
	const { dollars, decimals = '' } = /^(?<dollars>\d{1,9})(\.(?<decimals>\d{1,6}))?$/.exec(text)?.groups ?? {};
	return dollars === undefined ? undefined : Number(dollars + decimals.padEnd(DECIMALS, '0'));
}

/**
 * The `target` of an act about a price: the reseller, the price, and the line of its debt in USD cents, if that is given.
 * Like `acme off` or `acme 3.50 line 20.00`.
 */
export function priceTarget(reseller: string, microUsd: number | null, debtLineCents?: number): string {
	const price = `${reseller} ${microUsd === null ? 'off' : priceText(microUsd)}`;
	return debtLineCents === undefined ? price : `${price} line ${usd(debtLineCents)}`;
}
