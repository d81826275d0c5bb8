/** Payments through a payment provider: what all audiences say of them. */

export const PAYMENT_PROVIDERS = ['stripe', 'btcpay'] as const;

export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/** How providers are called for people. */
export const PROVIDER_TITLES: Readonly<Record<PaymentProviderName, string>> = {
	stripe: 'Stripe',
	btcpay: 'BTCPay Server',
};

/**
 * Where a payment stands:
 * - `creating`: it is not known yet whether the provider has a page for it.
 * - `open`: it can be paid.
 * - `processing`: it was paid, and the provider does not vouch for the money yet.
 * - `settled`: the provider vouches for the money.
 * - `expired`: it was not paid in time, or not in full.
 * - `not_made`: the provider never had it.
 */
export const PAYMENT_STATES = ['creating', 'open', 'processing', 'settled', 'expired', 'not_made'] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The states in which money is still expected. */
export const WAITING_STATES: readonly PaymentState[] = ['creating', 'open', 'processing'];

/**
 * What does not fit about a payment. Money that arrived is booked all the same, unless it is said otherwise:
 * - `underpaid`, `overpaid`: another amount was paid than asked for. What arrived is booked.
 * - `paid_late`: it was paid after its end.
 * - `other_currency`: it is not in USD. Nothing is booked.
 * - `other_mode`: it is a test at a service that is not for tests, or the other way round. Nothing is booked.
 * - `other_payment`: the object of the provider names another payment, or none. Nothing is booked.
 * - `not_found`: the provider does not know it any more. What was booked stays.
 * - `returned_too_much`: more was refunded or disputed than was paid. What was paid is taken back.
 * - `owed`: what was refunded or disputed was not there any more. The reseller owes the rest.
 * - `suspended`: money arrived for a reseller that is suspended.
 * - `balance_limit`: with it, the balance would be larger than a balance can be. Nothing is booked until it fits.
 */
export const PAYMENT_FINDINGS = [
	'underpaid',
	'overpaid',
	'paid_late',
	'other_currency',
	'other_mode',
	'other_payment',
	'not_found',
	'returned_too_much',
	'owed',
	'suspended',
	'balance_limit',
] as const;

export type PaymentFinding = (typeof PAYMENT_FINDINGS)[number];
