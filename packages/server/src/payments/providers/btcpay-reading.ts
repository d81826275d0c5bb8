import type { PaymentReading } from '../../domain/payments/reading.ts';
import { ProviderFailedError } from './ask-provider.ts';
import { hundredthsOf, inHundredths, readDecimal } from './decimal.ts';

/** What the API says of an invoice, as far as it is read. It comes from outside: each value may be anything. */
export interface Invoice {
	readonly id?: unknown;
	/** A decimal, in `currency`. */
	readonly amount?: unknown;
	readonly currency?: unknown;
	readonly status?: unknown;
	readonly additionalStatus?: unknown;
	readonly checkoutLink?: unknown;
	/** Unix seconds. */
	readonly expirationTime?: unknown;
	readonly metadata?: { readonly orderId?: unknown } | null;
}

/** One way in which an invoice can be paid, and what was paid in it. */
export interface InvoicePaymentMethod {
	/** The price of one unit of its currency, in that of the invoice. */
	readonly rate?: unknown;
	readonly payments?: readonly {
		/** With the fee, in the currency of the method. */
		readonly value?: unknown;
		/** What the payer had to add because of the network. It is not for the invoice. */
		readonly fee?: unknown;
		readonly status?: unknown;
	}[];
}

const STATES: Readonly<Record<string, PaymentReading['state']>> = {
	New: 'open',
	Processing: 'processing',
	Settled: 'settled',
	Expired: 'expired',
	Invalid: 'expired',
};

/** All that an invoice says, if that is only its state. */
export function stateOf({ status, additionalStatus }: Invoice): PaymentReading['state'] | undefined {
	return additionalStatus === 'None' ? STATES[String(status)] : undefined;
}

/** Whether the amount that arrived is only known from the payments. */
export function needsPayments({ status, additionalStatus }: Invoice): boolean {
	if (status === 'Settled') return additionalStatus === 'PaidOver';
	return status === 'Expired' && ['PaidPartial', 'PaidLate'].includes(String(additionalStatus));
}

/** What an invoice says of its payment. `methods` are needed if `needsPayments`. Throws `ProviderFailedError`. */
export function readInvoice(invoice: Invoice, methods: readonly InvoicePaymentMethod[]): PaymentReading {
	const state = STATES[String(invoice.status)];
	if (!state) throw new ProviderFailedError('BTCPay Server answers an invoice in a state that is not known');
	return {
		paymentId: paymentIdOf(invoice),
		// Which network a store uses, it does not tell.
		isLive: true,
		currency: String(invoice.currency).toLowerCase(),
		state,
		settledCents: settledCents(invoice, methods),
		refundedCents: 0,
		disputedCents: 0,
		isLate: invoice.status === 'Expired' && invoice.additionalStatus === 'PaidLate',
		intentId: undefined,
		pageUrl: state === 'open' ? pageUrlOf(invoice) : undefined,
		expiresAtMs: typeof invoice.expirationTime === 'number' ? invoice.expirationTime * 1_000 : undefined,
	};
}

export function paymentIdOf({ metadata }: Pick<Invoice, 'metadata'>): string | undefined {
	return typeof metadata?.orderId === 'string' ? metadata.orderId : undefined;
}

function settledCents(invoice: Invoice, methods: readonly InvoicePaymentMethod[]): number {
	const asked = inHundredths(readDecimal(invoice.amount));
	if (!needsPayments(invoice)) return invoice.status === 'Settled' ? asked : 0;
	const arrived = Math.max(0, arrivedCents(methods));
	// What was paid for the invoice counts in full, although the coin has smaller units than a cent.
	return invoice.status === 'Settled' ? Math.max(asked, arrived) : arrived;
}

/** What arrived in payments that the network has confirmed. */
function arrivedCents(methods: readonly InvoicePaymentMethod[]): number {
	return hundredthsOf(
		methods.flatMap(({ rate, payments = [] }) =>
			payments
				.filter(({ status }) => status === 'Settled')
				.map(({ value, fee = '0' }) => [readDecimal(value) - readDecimal(fee), readDecimal(rate)] as const),
		),
	);
}

/** Where it can be paid. Browsers open it, so it must be an address of the web. */
function pageUrlOf({ checkoutLink }: Invoice): string {
	const link = String(checkoutLink);
	if (/^https?:\/\//.test(link) && URL.canParse(link)) return link;
	throw new ProviderFailedError('BTCPay Server answers an invoice without a page');
}
