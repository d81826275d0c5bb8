import { parseMoney } from '../../format/money.ts';

/** What one payment may be, in USD cents. */
export interface Bounds {
	readonly min: number;
	readonly max: number;
}

/** An amount as it was typed, in USD cents; or why it cannot be paid; or that none was typed. */
export type TypedTopUp =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: 'unreadable' | 'too_small' | 'too_large' }
	| { readonly state: 'right'; readonly cents: number };

export function typedTopUp(text: string, { min, max }: Bounds): TypedTopUp {
	if (text.trim() === '') return { state: 'empty' };
	const cents = parseMoney(text);
	if (cents === undefined) return { state: 'wrong', problem: 'unreadable' };
	if (cents === 'too_large' || cents > max) return { state: 'wrong', problem: 'too_large' };
	return cents < min ? { state: 'wrong', problem: 'too_small' } : { state: 'right', cents };
}
