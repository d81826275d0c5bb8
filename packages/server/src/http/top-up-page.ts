import type { Payment } from '../domain/payments/payment.ts';
import type { PaymentQuery, PaymentReads } from '../store/tables/payments/reads.ts';

/**
 * How many rows one read of the store has: about a millisecond of an embedded one.
 * @bound Payments of a page that are read at once: the next step has the rest.
 */
const ROWS_IN_A_STEP = 100;

type WantedTopUps = Omit<PaymentQuery, 'before'> & {
	/** Only the payment with this id. */
	readonly id: string | undefined;
	/** The last payment of the previous page; `null`: there is none. */
	readonly after: string | null;
};

interface TopUpPage {
	readonly payments: readonly Payment[];
	/** What the next page comes after; `null` after the last one. */
	readonly next: string | null;
}

/**
 * A page of payments, the newest first. `undefined` if there is no payment `after`. If a reseller is named, the payments of
 * others are like those that do not exist.
 */
export async function readTopUpPage(
	store: Pick<PaymentReads, 'findPayment' | 'listPayments'>,
	{ id, after, limit, ...wanted }: WantedTopUps,
): Promise<TopUpPage | undefined> {
	const { reseller, owner = reseller } = wanted;

	async function find(wantedId: string): Promise<Payment | undefined> {
		const payment = await store.findPayment(wantedId, owner);
		return reseller === undefined || payment?.reseller === reseller ? payment : undefined;
	}

	let before = after === null ? undefined : await find(after);
	if (after !== null && !before) return undefined;
	if (id !== undefined) {
		const payment = await find(id);
		return { payments: payment ? [payment] : [], next: null };
	}
	const payments: Payment[] = [];
	while (payments.length < limit) {
		const step = Math.min(ROWS_IN_A_STEP, limit - payments.length);
		const found = await store.listPayments({ ...wanted, before, limit: step });
		payments.push(...found);
		if (found.length < step) return { payments, next: null };
		before = found.at(-1);
	}
	return { payments, next: before?.id ?? null };
}
