import type { AskPaymentRead } from '../../src/commands/payments/ask-read.ts';
import type { BeginPaymentRead } from '../../src/commands/payments/begin-read.ts';
import type { CreateTopUp } from '../../src/commands/payments/create.ts';
import type { ReadEnd, RecordPaymentRead } from '../../src/commands/payments/record-read.ts';
import { newPayment, type Payment } from '../../src/domain/payments/payment.ts';
import type { PaymentReading } from '../../src/domain/payments/reading.ts';
import { NOON_MS } from './commands.ts';

const REQUEST_ID = 'test-request';

export function createTopUp(reseller: string, amountCents: number, payment = 'pay_1'): CreateTopUp {
	return {
		...{
			kind: 'create_top_up',
			requestId: REQUEST_ID,
			reseller,
			payment,
			provider: 'stripe',
			isLive: true,
			amountCents,
		},
		bounds: { minCents: 1, maxCents: 1_000_000 },
	};
}

export function askPaymentRead(reseller: string, payment: string): AskPaymentRead {
	return { kind: 'ask_payment_read', requestId: REQUEST_ID, reseller, payment };
}

export function beginPaymentRead(reseller: string, payment: string): BeginPaymentRead {
	return { kind: 'begin_payment_read', requestId: REQUEST_ID, reseller, payment, evenIfNotDue: true };
}

let requests = 0;
/** Each posting has a request of its own, as in the service. */
export function recordPaymentRead(
	reseller: string,
	payment: RecordPaymentRead['payment'],
	end: ReadEnd,
): RecordPaymentRead {
	return { kind: 'record_payment_read', requestId: `read ${requests++}`, reseller, payment, end };
}

/** A payment of 50 USD that was just begun. */
export function paymentOf(reseller: string, id: string, changes: Partial<Payment> = {}): Payment {
	const made = {
		id,
		reseller,
		provider: 'stripe',
		isLive: true,
		amountCents: 5_000,
		createdAtMs: NOON_MS,
		changeId: null,
	} as const;
	return { ...newPayment(made, NOON_MS + 60_000), ...changes };
}

/** What a provider says of a payment that is paid. */
export function readingOf(paymentId: string, changes: Partial<PaymentReading> = {}): PaymentReading {
	return {
		...{ paymentId, isLive: true, currency: 'usd', state: 'settled', settledCents: 5_000, refundedCents: 0 },
		...{ disputedCents: 0, isLate: false, intentId: `pi_${paymentId}`, pageUrl: undefined, expiresAtMs: undefined },
		...changes,
	};
}

export function found(paymentId: string, changes: Partial<PaymentReading> = {}): ReadEnd {
	return { kind: 'found', objectId: `cs_${paymentId}`, reading: readingOf(paymentId, changes) };
}
