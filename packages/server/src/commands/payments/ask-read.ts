import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface AskPaymentRead extends AccountCommand {
	readonly kind: 'ask_payment_read';
	readonly payment: string;
}

interface Asked {
	readonly ok: true;
}

/** Asks for a read of a payment: because of a hint, or because a person wants it. Also while a read of it is under way. */
export const askPaymentRead: Verb<AskPaymentRead, Asked, 'unknown_payment'> = {
	kind: 'ask_payment_read',
	calls: ['/operator/payments/read'],
	giver: 'service',
	setsState: true,
	needs: ({ payment }) => ({ payment }),
	decide(books, { reseller, payment: id }, nowMs) {
		const payment = books.payment(reseller, id);
		if (!payment) return refused('unknown_payment');
		if (payment.nextReadAtMs !== null && payment.nextReadAtMs <= nowMs) return { outcome: { ok: true }, effects: [] };
		return {
			outcome: { ok: true },
			effects: [{ kind: 'write_payment', payment: { ...payment, nextReadAtMs: nowMs } }],
		};
	},
};
