import type { Confirmation } from './accounts.ts';

/** Where a payment is made. A newer service may have further providers. */
export type PaymentProvider = 'stripe' | 'btcpay';

/**
 * Where a payment stands. `creating`: its page is not there yet. `open`: it can be paid. `processing`: it was paid, and the
 * money is not certain yet. `settled`: the money is certain. `expired`: it was not paid in time, or not in full. `not_made`: it
 * could not be made. A newer service may have further states.
 */
export type TopUpState = 'creating' | 'open' | 'processing' | 'settled' | 'expired' | 'not_made';

/** A payment through a payment provider. All amounts are USD cents. */
export interface TopUp {
	readonly id: string;
	readonly provider: PaymentProvider;
	readonly state: TopUpState;
	/** What was asked for. */
	readonly amountCents: number;
	/** What your balance has of it: what arrived, less what was refunded or is disputed. */
	readonly creditedCents: number;
	/** What was sent back. */
	readonly refundedCents: number;
	/** What the payer disputes, or has won back so. */
	readonly disputedCents: number;
	/** Where a person can pay it; `undefined` if it cannot be paid now. */
	readonly url: string | undefined;
	/** Until when it can be paid; `undefined` if that is not known. */
	readonly expiresAt: Date | undefined;
	readonly dateCreated: Date;
	/** The id of the change that began it; `undefined` if it had none. */
	readonly changeId: string | undefined;
}

/** What a new payment needs. */
export interface NewTopUp {
	readonly provider: PaymentProvider;
	/** USD cents, within the bounds that the operator has set. */
	readonly amountCents: number;
}

/** The result of `topUps.create`. */
export interface TopUpCreation extends Confirmation {
	readonly topUp: TopUp;
}
