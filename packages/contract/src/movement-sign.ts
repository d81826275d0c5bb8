import type { MovementKind } from './sub-user-terms.ts';

/** Whether a movement of this kind adds to the balance of the reseller. A debt that was forgiven is less to owe. */
const ADDS: Readonly<Record<MovementKind, boolean>> = {
	top_up: true,
	take: true,
	debt_forgiven: true,
	adjustment: false,
	create_fee: false,
	give: false,
	usage: false,
	debt: false,
	debt_payment: false,
	refund_debt: false,
};

/**
 * What a movement changes, in USD cents, as the statement of a reseller shows it in all programs (decision 0092): below zero
 * if the reseller's balance got smaller, if a sub-user paid for its bandwidth, or if the reseller owes more. The amount of
 * a kind that is not known stays as it is.
 */
export function signedAmount({ kind, amountCents }: { readonly kind: string; readonly amountCents: number }): number {
	return ADDS[kind as MovementKind] === false ? -amountCents : amountCents;
}
