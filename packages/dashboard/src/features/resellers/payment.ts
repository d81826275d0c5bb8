import { MAX_CENTS } from '@bursar/contract/limits';
import { parseMoney, typedAmount } from '../../format/money.ts';
import { plainReference } from '../../forms/plain-reference.ts';

export type PaymentPath = '/operator/top-up' | '/operator/adjust';

/** What a payment would do to a balance, or why it cannot be made. */
export type PaymentPreview =
	| { readonly amount: number; readonly after: number; readonly problem?: undefined }
	| { readonly problem: 'no_amount' | 'invalid_amount' | 'zero' | 'too_much' | 'too_large' };

/** `typed` is the amount as dollars and cents, and `balance` the one of now, in USD cents. */
export function paymentPreview(path: PaymentPath, balance: number, typed: string): PaymentPreview {
	const isTopUp = path === '/operator/top-up';
	const moved = typedAmount(typed, isTopUp ? { from: MAX_CENTS, to: balance } : { from: balance, to: 0 });
	if (moved.state === 'empty') return { problem: 'no_amount' };
	if (moved.state === 'right') {
		return { amount: moved.cents, after: isTopUp ? balance + moved.cents : balance - moved.cents };
	}
	const { problem } = moved;
	return { problem: problem === 'unreadable' ? 'invalid_amount' : problem };
}

/** A payment above this is typed twice, in USD cents: one digit too many is ten times the money. */
export const LARGE_PAYMENT_CENTS = 10_000_00;

/** Whether an amount that is about to be paid in was meant: a large one is typed a second time. */
export function isAmountMeant(cents: number, typedAgain: string): boolean {
	return cents <= LARGE_PAYMENT_CENTS || parseMoney(typedAgain) === cents;
}

/** Whether a payment says enough. Taking money back needs a reason, because the reseller wonders otherwise. */
export function isPaymentExplained(
	path: PaymentPath,
	{ reference, reason }: { readonly reference: string; readonly reason: string },
): boolean {
	return plainReference(reference) !== '' && (path === '/operator/top-up' || reason.trim() !== '');
}
