import type { TopUp } from '@bursar/contract/payment-schemas';
import { type PaymentState, WAITING_STATES } from '@bursar/contract/payments';

/** How a payment stands, for people. Only money that the balance has is called credited. */
export type PaymentOutcome =
	| Exclude<PaymentState, 'settled' | 'expired'>
	| 'credited'
	| 'credited_in_part'
	| 'taken_back'
	/** The provider has money, and none of it is booked. */
	| 'not_credited'
	| 'not_paid';

type Counted = Pick<TopUp, 'state' | 'amount' | 'credited' | 'refunded' | 'disputed'>;

export function outcomeOf({ state, amount, credited, refunded, disputed }: Counted): PaymentOutcome {
	if (state !== 'settled' && state !== 'expired') return state;
	if (credited > 0) return credited < amount ? 'credited_in_part' : 'credited';
	if (refunded + disputed > 0) return 'taken_back';
	return state === 'settled' ? 'not_credited' : 'not_paid';
}

/** Whether money may still come without another act. Who sends coins too late, or too few, has them confirmed after the end. */
export function mayGetMoney(payment: Counted & Pick<TopUp, 'provider'>): boolean {
	return isWaiting(payment) || (payment.provider === 'btcpay' && outcomeOf(payment) === 'not_paid');
}

/** Whether money is still expected. */
export function isWaiting({ state }: Pick<TopUp, 'state'>): boolean {
	return WAITING_STATES.includes(state);
}
