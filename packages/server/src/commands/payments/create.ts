import { MAX_WAITING_PAYMENTS } from '@bursar/contract/limits';
import type { PaymentProviderName } from '@bursar/contract/payments';
import { isTransferAmount } from '../../domain/money.ts';
import { newPayment, type Payment } from '../../domain/payments/payment.ts';
import { actOfProgram, requireReseller } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface CreateTopUp extends ResellersChange {
	readonly kind: 'create_top_up';
	/** The id of the new payment, which the caller has made. */
	readonly payment: string;
	readonly provider: PaymentProviderName;
	readonly isLive: boolean;
	/** USD cents. */
	readonly amountCents: number;
	/** What the operator allows, in USD cents. */
	readonly bounds: { readonly minCents: number; readonly maxCents: number };
}

interface CreatedTopUp {
	readonly ok: true;
	/** The caller now makes its object at the provider, and records that as the first read of it. */
	readonly payment: Payment;
}

/** The caller that makes a payment has so long for its object. Then it is looked up. In milliseconds. */
const CREATE_MS = 60_000;

/**
 * Some payments wait for ever, as if the provider was switched off since. They must not keep their reseller from paying.
 * Most pages can be paid for a day.
 */
const WAITS_MS = 2 * 24 * 60 * 60 * 1_000;

/**
 * Begins a payment through a provider. It is written before the provider hears of it, so no payment can be unknown here.
 * It credits nothing yet.
 */
export const createTopUp: Verb<
	CreateTopUp,
	CreatedTopUp,
	'invalid_amount' | 'amount_out_of_bounds' | 'too_many_payments'
> = {
	kind: 'create_top_up',
	calls: ['/top-ups/create'],
	isResellersChange: true,
	needs: () => ({ waitingPayments: true }),
	decide(books, command, nowMs) {
		requireReseller(books, command.reseller);
		const { reseller, provider, isLive, amountCents, bounds, changeId = null } = command;
		if (!isTransferAmount(amountCents)) return refused('invalid_amount');
		if (amountCents < bounds.minCents || amountCents > bounds.maxCents) return refused('amount_out_of_bounds');
		if (books.countWaitingPayments(reseller, nowMs - WAITS_MS) >= MAX_WAITING_PAYMENTS)
			return refused('too_many_payments');
		const made = { id: command.payment, reseller, provider, isLive, amountCents, createdAtMs: nowMs, changeId };
		const payment = newPayment(made, nowMs + CREATE_MS);
		return {
			outcome: { ok: true, payment },
			effects: [
				{ kind: 'write_payment', payment, isNew: true },
				...actOfProgram(command, `${reseller} ${amountCents}`, nowMs),
			],
		};
	},
};
