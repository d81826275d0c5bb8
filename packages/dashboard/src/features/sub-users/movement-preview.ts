import type { SubUserDetails } from '@bursar/contract/dashboard';
import { parseMoney } from '../../format/money.ts';

export type MovementDirection = 'give' | 'take';

/** Why an amount cannot be moved. */
export type AmountProblem = 'unreadable' | 'zero' | 'too_much' | 'too_large';

/** What would become of both balances, in USD cents; or why the amount cannot be moved; or that none was typed. */
export type MovementPreview =
	| { readonly state: 'empty' }
	| { readonly state: 'wrong'; readonly problem: AmountProblem }
	| { readonly state: 'right'; readonly cents: number; readonly subUserAfter: number; readonly resellerAfter: number };

/** What giving to a sub-user or taking from it would do. `text` is the amount as it was typed. */
export function previewMovement(
	direction: MovementDirection,
	text: string,
	{ balance, reseller_balance }: Pick<SubUserDetails, 'balance' | 'reseller_balance'>,
): MovementPreview {
	if (text.trim() === '') return { state: 'empty' };
	const cents = parseMoney(text);
	if (cents === undefined) return { state: 'wrong', problem: 'unreadable' };
	if (cents === 0) return { state: 'wrong', problem: 'zero' };
	const [from, to] = direction === 'give' ? [reseller_balance, balance] : [balance, reseller_balance];
	if (cents > from) return { state: 'wrong', problem: 'too_much' };
	if (!Number.isSafeInteger(to + cents)) return { state: 'wrong', problem: 'too_large' };
	const change = direction === 'give' ? cents : -cents;
	return { state: 'right', cents, subUserAfter: balance + change, resellerAfter: reseller_balance - change };
}
