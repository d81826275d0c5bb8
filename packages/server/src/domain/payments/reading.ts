/** What a provider says of a payment, at one time. Amounts are USD cents, if the currency is USD. */
export interface PaymentReading {
	/** The id of ours that the object names. `undefined` if it names none. */
	readonly paymentId: string | undefined;
	readonly isLive: boolean;
	/** In lowercase, like `usd`. */
	readonly currency: string;
	/** `settled`: the provider vouches for the money. `expired`: nothing, or not all, was paid in time. */
	readonly state: 'open' | 'processing' | 'settled' | 'expired';
	/** What arrived for certain, ever. */
	readonly settledCents: number;
	/** What was sent back, or is on its way back. */
	readonly refundedCents: number;
	/** Disputes that are open or lost. A won one does not count. */
	readonly disputedCents: number;
	/** Whether money arrived after the end of the payment. */
	readonly isLate: boolean;
	/** What hints may also name it by. */
	readonly intentId: string | undefined;
	/** Where it can be paid; `undefined` if it cannot be paid any more. */
	readonly pageUrl: string | undefined;
	/** Until when it can be paid, in Unix milliseconds. */
	readonly expiresAtMs: number | undefined;
}
