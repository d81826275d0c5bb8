import { MAX_CENTS } from '@bursar/contract/limits';
import { parseMoney, typedAmount } from '../../format/money.ts';
import { plainReference } from '../../forms/plain-reference.ts';

export type PaymentPath = '/operator/top-up' | '/operator/adjust';

/** What a payment would do to a balance, or why it cannot be made. */
export type PaymentPreview =
	| { readonly amount: number; readonly after: number; readonly problem?: undefined }
	| { readonly problem: 'no_amount' | 'invalid_amount' | 'zero' | 'too_much' | 'too_large' };

/** `typed` is the amount as dollars and cents, and `balance` the present one, in USD cents. */
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
/** A payment is also typed twice if it is more than so many times the largest earlier top-up of its reseller. */
const FAR_OFF = 10;

/** The largest amount that is typed once, in USD cents, and whether it follows from earlier top-ups. */
export interface TypedOnce {
	readonly cents: number;
	readonly isOfReseller: boolean;
}

/** `largestTopUp` is the one of the reseller, in USD cents; `null` if there was none. */
export function typedOnce(largestTopUp: number | null): TypedOnce {
	const isOfReseller = largestTopUp !== null && largestTopUp < LARGE_PAYMENT_CENTS / FAR_OFF;
	return { cents: isOfReseller ? largestTopUp * FAR_OFF : LARGE_PAYMENT_CENTS, isOfReseller };
}

/** Whether an amount was meant: one that is far off the usual is typed a second time. */
export function isAmountMeant(cents: number, typedAgain: string, once: TypedOnce): boolean {
	return cents <= once.cents || parseMoney(typedAgain) === cents;
}

/** Whether a payment says enough. Taking money back needs a reason, because the reseller wonders otherwise. */
export function isPaymentExplained(
	path: PaymentPath,
	{ reference, reason }: { readonly reference: string; readonly reason: string },
): boolean {
	return plainReference(reference) !== '' && (path === '/operator/top-up' || reason.trim() !== '');
}
