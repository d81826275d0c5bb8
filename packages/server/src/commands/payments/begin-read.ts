import type { Payment } from '../../domain/payments/payment.ts';
import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface BeginPaymentRead extends AccountCommand {
	readonly kind: 'begin_payment_read';
	readonly payment: string;
	/** Whether it is read although it is not due. */
	readonly evenIfNotDue?: boolean | undefined;
}

interface BegunRead {
	readonly ok: true;
	/** With the number of the read in `readsBegun`, and in `nextReadAtMs` when it is read again if nothing is recorded. */
	readonly payment: Payment;
}

/** @bound A process that reads a payment may die: after this time, another one reads it. */
const READ_LEASE_MS = 60_000;

/** Begins a read of a payment at its provider, and numbers it. */
export const beginPaymentRead: Verb<BeginPaymentRead, BegunRead, 'unknown_payment' | 'not_due'> = {
	kind: 'begin_payment_read',
	calls: [],
	giver: 'service',
	needs: ({ payment }) => ({ payment }),
	decide(books, { reseller, payment: id, evenIfNotDue = false }, nowMs) {
		const before = books.payment(reseller, id);
		if (!before) return refused('unknown_payment');
		const isDue = before.nextReadAtMs !== null && before.nextReadAtMs <= nowMs;
		if (!isDue && !evenIfNotDue) return refused('not_due');
		const payment = { ...before, readsBegun: before.readsBegun + 1, nextReadAtMs: nowMs + READ_LEASE_MS };
		return { outcome: { ok: true, payment }, effects: [{ kind: 'write_payment', payment }] };
	},
};
