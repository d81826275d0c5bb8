import type { Payment } from '../domain/payments/payment.ts';
import type { PaymentQuery, PaymentReads } from '../store/tables/payments/reads.ts';

/**
 * How many rows one read of the store has: about a millisecond of an embedded one.
 * @bound Payments of a page that are read at once: the next step has the rest.
 */
const ROWS_IN_A_STEP = 100;

type Wanted = Omit<PaymentQuery, 'before'> & {
	/** The last payment of the previous page; `null`: there is none. */
	readonly after: string | null;
};

interface TopUpPage {
	readonly payments: readonly Payment[];
	/** What the next page comes after; `null` after the last one. */
	readonly next: string | null;
}

/** A page of payments, the newest first. `undefined` if `after` is none of those that may be seen. */
export async function readTopUpPage(
	store: Pick<PaymentReads, 'findPayment' | 'listPayments'>,
	{ after, limit, ...wanted }: Wanted,
): Promise<TopUpPage | undefined> {
	const payments: Payment[] = [];
	let before = after === null ? undefined : await store.findPayment(after, wanted.owner ?? wanted.reseller);
	const isSeen = wanted.reseller === undefined || before?.reseller === wanted.reseller;
	if (after !== null && !(before && isSeen)) return undefined;
	for (let most = limit; most > 0; most = limit - payments.length) {
		const step = Math.min(ROWS_IN_A_STEP, most);
		const found = await store.listPayments({ ...wanted, before, limit: step });
		payments.push(...found);
		if (found.length < step) return { payments, next: null };
		before = found.at(-1);
	}
	return { payments, next: before?.id ?? null };
}
