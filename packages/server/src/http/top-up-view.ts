import type { OperatorTopUp, TopUp } from '@bursar/contract/payment-schemas';
import type { Payment } from '../domain/payments/payment.ts';

/** A payment through a provider, as its reseller sees it. */
export function topUpView(payment: Payment): TopUp {
	const { id, provider, state, amountCents, bookedCents, refundedCents, disputedCents } = payment;
	return {
		...{ id, provider, state },
		...{ amount: amountCents, credited: bookedCents, refunded: refundedCents, disputed: disputedCents },
		url: payment.pageUrl,
		expires_at: timeOrNull(payment.expiresAtMs),
		timestamp: new Date(payment.createdAtMs).toISOString(),
		change_id: payment.changeId,
	};
}

/** The same as operators see it. */
export function operatorTopUpView(payment: Payment): OperatorTopUp {
	const { reseller, isLive, settledCents, objectId, findings, readAtMs, failedReads, nextReadAtMs } = payment;
	return {
		...topUpView(payment),
		...{ username: reseller, is_test: !isLive, settled: settledCents, object_id: objectId, findings: [...findings] },
		...{ read_at: timeOrNull(readAtMs), failed_reads: failedReads, next_read_at: timeOrNull(nextReadAtMs) },
	};
}

function timeOrNull(atMs: number | null): string | null {
	return atMs === null ? null : new Date(atMs).toISOString();
}
