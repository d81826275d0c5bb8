import { MAX_CENTS } from '@bursar/contract/limits';
import { parseMoney } from './money.ts';

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
	if (cents > from) return { state: 'wrong', problem: 'too_much' };
	return to + cents > MAX_CENTS ? { state: 'wrong', problem: 'too_large' } : { state: 'right', cents };
}
