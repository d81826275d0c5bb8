import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { withoutDollarSign } from '../../format/money.ts';
import { readDigits } from '../../format/number.ts';

const DECIMALS = 6;

/** What somebody typed as the price of a GB, in micro-dollars; or why it is none; or that nothing was typed. */
export type TypedPrice =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: 'unreadable' | 'zero' | 'too_large' }
	| { readonly state: 'right'; readonly price: number };

export function typedPrice(text: string): TypedPrice {
	const typed = withoutDollarSign(text);
	if (typed === '') return { state: 'empty' };
	const digits = readDigits(typed, DECIMALS);
	if (!digits) return { state: 'wrong', problem: 'unreadable' };
	const price = Number(digits.whole + digits.part.padEnd(DECIMALS, '0'));
	if (price === 0) return { state: 'wrong', problem: 'zero' };
	return price > MAX_PRICE_MICRO_USD ? { state: 'wrong', problem: 'too_large' } : { state: 'right', price };
}
