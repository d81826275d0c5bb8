import type { PricePerGb, SubUserDetails } from '@bursar/contract/dashboard';
import { type TypedAmount, typedAmount } from '../../format/money.ts';

const BYTES_OF_GB = 1_000_000_000;
const MICRO_USD_OF_CENT = 10_000;

/** For how many bytes a balance in USD cents pays; `null` if bandwidth costs nothing. */
export function bytesLeft(balance: number, price: PricePerGb): number | null {
	return price === null ? null : Math.floor((balance * MICRO_USD_OF_CENT * BYTES_OF_GB) / price);
}

/** Whether a balance pays for something, but for less than a GB. */
export function isLow(balance: number, price: PricePerGb): boolean {
	const left = bytesLeft(balance, price);
	return left !== null && left > 0 && left < BYTES_OF_GB;
}

export type MovementDirection = 'give' | 'take';

/** What would become of both balances, in USD cents; or why the amount cannot be moved; or that none was typed. */
export type MovementPreview =
	| Exclude<TypedAmount, { readonly state: 'right' }>
	| { readonly state: 'right'; readonly cents: number; readonly subUserAfter: number; readonly resellerAfter: number };

/** What giving to a sub-user or taking from it would do. `text` is the amount as it was typed. */
export function previewMovement(
	direction: MovementDirection,
	text: string,
	{ balance, reseller_balance }: Pick<SubUserDetails, 'balance' | 'reseller_balance'>,
): MovementPreview {
	const [from, to] = direction === 'give' ? [reseller_balance, balance] : [balance, reseller_balance];
	const amount = typedAmount(text, { from, to });
	if (amount.state !== 'right') return amount;
	const change = direction === 'give' ? amount.cents : -amount.cents;
	return { ...amount, subUserAfter: balance + change, resellerAfter: reseller_balance - change };
}
