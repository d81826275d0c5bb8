import type { PaymentNames, PaymentProvider } from '../../src/payments/provider.ts';

/** How `payment-1` is read while it can be paid. Its page and its end differ. */
export const OPEN_READING = {
	paymentId: 'payment-1',
	isLive: true,
	currency: 'usd',
	state: 'open',
	settledCents: 0,
	refundedCents: 0,
	disputedCents: 0,
	isLate: false,
	intentId: undefined,
} as const;

/** All that a provider lists as changed. */
export async function changedSince(provider: PaymentProvider, sinceMs: number): Promise<readonly PaymentNames[]> {
	const names: PaymentNames[] = [];
	for await (const part of provider.listChanged(sinceMs, new AbortController().signal)) names.push(...part);
	return names;
}
