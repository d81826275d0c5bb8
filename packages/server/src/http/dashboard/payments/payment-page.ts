import type { OfferedProvider } from '@bursar/contract/dashboard';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { TopUps } from '../../../payments/top-ups.ts';
import type { PaymentPosition, PaymentQuery, PaymentReads } from '../../../store/tables/payments/reads.ts';
import { type Page, type PageQuery, pageOf } from '../calls/list-page.ts';

/** A page of payments, the newest first; `undefined` if the query names no position. */
export function pageOfPayments(
	store: Pick<PaymentReads, 'listPayments'>,
	query: Pick<PaymentQuery, 'reseller' | 'only' | 'owner'>,
	position: PageQuery,
): Promise<Page<Payment> | undefined> {
	return pageOf<Payment, PaymentPosition>(position, {
		readPosition,
		positionText: ({ createdAtMs, id }) => `${createdAtMs}~${id}`,
		list: (before, backwards, limit) => store.listPayments({ ...query, before, backwards, limit }),
	});
}

function readPosition(text: string): PaymentPosition | undefined {
	const [, atMs, id] = /^(0|[1-9]\d{0,14})~(pay_[0-9A-Za-z]{22})$/.exec(text) ?? [];
	return id === undefined ? undefined : { createdAtMs: Number(atMs), id };
}

/** The providers that are on. */
export function offeredProviders({ providers, isTest }: TopUps): readonly OfferedProvider[] {
	return providers.map((provider) => ({ provider, is_test: isTest(provider) }));
}
