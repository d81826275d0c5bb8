import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { readPrice } from '@bursar/contract/price';

/** What somebody typed as the price of a GB, in micro-dollars; or why it is none; or that nothing was typed. */
export type TypedPrice =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: 'unreadable' | 'zero' | 'too_large' }
	| { readonly state: 'right'; readonly price: number };

export function typedPrice(text: string): TypedPrice {
	const typed = text.trim().replace(/^\$\s*/, '');
	if (typed === '') return { state: 'empty' };
	const price = readPrice(typed);
	if (price === undefined) return { state: 'wrong', problem: 'unreadable' };
	if (price === 0) return { state: 'wrong', problem: 'zero' };
	return price > MAX_PRICE_MICRO_USD ? { state: 'wrong', problem: 'too_large' } : { state: 'right', price };
}
