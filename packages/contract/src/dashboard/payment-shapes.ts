import type { OperatorTopUp, TopUp } from '../payment-schemas.ts';
import type { PaymentProviderName } from '../payments.ts';

/** A provider through which payments can be made. */
export interface OfferedProvider {
	readonly provider: PaymentProviderName;
	/** Whether its payments are only tests, which move no real money. */
	readonly is_test: boolean;
}

/** The payments of a reseller through providers. `url` is `null` for people who may not pay. */
export interface TopUpPage {
	/** Those that are on. Empty if the service takes no payments. */
	readonly providers: readonly OfferedProvider[];
	/** What one payment may be, in USD cents. */
	readonly min: number;
	readonly max: number;
	/** All payments that wait for money, the newest first. */
	readonly waiting: readonly TopUp[];
	/** A page of the others, the newest first. */
	readonly past: readonly TopUp[];
	readonly next: string | null;
	readonly previous: string | null;
}

/** Payments of all resellers, or of one, for operators. */
export interface OperatorPaymentPage {
	readonly providers: readonly OfferedProvider[];
	/** The newest first. */
	readonly payments: readonly OperatorTopUp[];
	readonly next: string | null;
	readonly previous: string | null;
	/** How many payments of these resellers do not fit, `PAYMENTS_COUNTED` at most. */
	readonly findings: number;
}
