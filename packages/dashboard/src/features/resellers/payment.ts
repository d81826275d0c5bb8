import { MAX_CENTS } from '@bursar/contract/limits';
import { parseMoney } from '../../format/money.ts';

export type PaymentPath = '/operator/top-up' | '/operator/adjust';

/** What a payment would do to a balance, or why it cannot be made. */
export type PaymentPreview =
	| { readonly amount: number; readonly after: number; readonly problem?: undefined }
	| { readonly problem: 'no_amount' | 'invalid_amount' | 'too_much' | 'too_large' };

/** `typed` is the amount as dollars and cents, and `balance` the one of now, in USD cents. */
export function paymentPreview(path: PaymentPath, balance: number, typed: string): PaymentPreview {
	if (typed.trim() === '') return { problem: 'no_amount' };
	const amount = parseMoney(typed);
	if (amount === undefined || amount === 0) return { problem: 'invalid_amount' };
	const after = path === '/operator/top-up' ? balance + amount : balance - amount;
	if (after < 0) return { problem: 'too_much' };
	return after > MAX_CENTS ? { problem: 'too_large' } : { amount, after };
}

/** Whether a payment says enough. Taking money back needs a reason, because the reseller wonders otherwise. */
export function isPaymentExplained(
	path: PaymentPath,
	{ reference, reason }: { readonly reference: string; readonly reason: string },
): boolean {
	return plainReference(reference) !== '' && (path === '/operator/top-up' || reason.trim() !== '');
}

/** A reference in its plain form, as the service expects it. Texts that are copied from documents have other spaces. */
export function plainReference(text: string): string {
	return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ');
}
