import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type ProviderAnswer, type ProviderServer, type SeenRequest, startProviderServer } from './provider-server.ts';

export const BTCPAY_KEY = 'btcpayStandIn0123456789abcdef';
export const BTCPAY_STORE = 'StoreStandIn0123456789';
export const BTCPAY_WEBHOOK_SECRET = 'btcpayWebhookStandIn0123456789';

/** USD for one BTC. With it, a cent is 20 satoshi. */
const BTC_RATE = '50000.00';

interface BtcpayPayment {
	/** BTC, as a decimal. */
	readonly value: string;
	readonly fee: string;
	/** Unix seconds. */
	readonly receivedDate: number;
	status: 'Processing' | 'Settled' | 'Invalid';
}

export interface BtcpayInvoice {
	readonly id: string;
	storeId: string;
	/** In `currency`, as a decimal. */
	readonly amount: string;
	currency: string;
	metadata: Readonly<Record<string, unknown>>;
	readonly checkoutLink: string;
	/** Unix seconds. */
	readonly createdTime: number;
	readonly expirationTime: number;
	status: 'New' | 'Processing' | 'Expired' | 'Invalid' | 'Settled';
	additionalStatus: 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver';
}

/** How much is paid: cents at the rate, or BTC as a decimal. */
type Paid = { readonly cents: number } | { readonly btc: string; readonly fee?: string };

export interface BtcpayStandIn extends ProviderServer {
	/** The clock, in Unix milliseconds. */
	nowMs: () => number;
	/** The key lacks these permissions, like `btcpay.store.canviewinvoices`. */
	readonly forbidden: Set<string>;
	readonly invoices: Map<string, BtcpayInvoice>;
	/** The payments to each invoice, by its id. */
	readonly payments: Map<string, BtcpayPayment[]>;
	/** The invoice that was made for a payment of the service. Throws if there is none. */
	invoiceOf(paymentId: string): BtcpayInvoice;
	/** The payer pays. Default: what was asked for. It is not confirmed yet. */
	pay(invoice: BtcpayInvoice, paid?: Paid): Promise<void>;
	/** All payments to an invoice that was paid are confirmed. */
	settle(invoice: BtcpayInvoice): Promise<void>;
	/** The time is over. What was paid in part stays. */
	expire(invoice: BtcpayInvoice): Promise<void>;
	/** All is paid after the end. */
	payLate(invoice: BtcpayInvoice, paid?: Paid): Promise<void>;
	/** The payments of an invoice that has expired are confirmed. */
	confirmPayments(invoice: BtcpayInvoice): Promise<void>;
	/** The payments are not confirmed in time. */
	invalidate(invoice: BtcpayInvoice): Promise<void>;
	/** The operator says by hand how it ended. */
	mark(invoice: BtcpayInvoice, status: 'Settled' | 'Invalid'): Promise<void>;
}

/** The settings of a service that takes payments through this server. */
export function btcpayEnvironment({ url }: Pick<ProviderServer, 'url'>) {
	return {
		BURSAR_BTCPAY_URL: url,
		BURSAR_BTCPAY_STORE: BTCPAY_STORE,
		BURSAR_BTCPAY_KEY: BTCPAY_KEY,
		BURSAR_BTCPAY_WEBHOOK_SECRET: BTCPAY_WEBHOOK_SECRET,
	};
}

/** A server with the part of BTCPay Server's API that the service uses. */
export async function startBtcpay(t: TestContext): Promise<BtcpayStandIn> {
	const invoices = new Map<string, BtcpayInvoice>();
	const payments = new Map<string, BtcpayPayment[]>();
	let ids = 0;
	const nowS = () => Math.floor(standIn.nowMs() / 1000);

	function answer({ method, path, query, headers, body }: SeenRequest): ProviderAnswer {
		const given = headers.authorization?.replace('token ', '') ?? '';
		// It tells the whole key: whoever logs this error would leak it.
		if (given !== BTCPAY_KEY) return failure(401, 'unauthenticated', `The key ${given} is not known`);
		const [, , , stores, store, kind, id, part] = path.split('/');
		const permission =
			kind === undefined ? 'canviewstoresettings' : method === 'POST' ? 'cancreateinvoice' : 'canviewinvoices';
		if (stores !== 'stores' || store !== BTCPAY_STORE || standIn.forbidden.has(`btcpay.store.${permission}`)) {
			return failure(403, 'missing-permission', `Insufficient API Permissions (btcpay.store.${permission})`);
		}
		if (kind === undefined) return { status: 200, body: { id: store, name: 'Stand-in' } };
		if (method === 'POST') return makeInvoice(JSON.parse(body));
		if (id === undefined) return { status: 200, body: pageOf([...invoices.values()], query) };
		const invoice = invoices.get(id);
		if (!invoice) return failure(404, 'invoice-not-found', 'The invoice was not found');
		return { status: 200, body: part === 'payment-methods' ? [methodOf(id)] : invoice };
	}

	function makeInvoice(asked: {
		readonly amount: string;
		readonly currency: string;
		readonly metadata: BtcpayInvoice['metadata'];
	}): ProviderAnswer {
		const id = `Invoice${(++ids).toString().padStart(12, '0')}`;
		const invoice: BtcpayInvoice = {
			id,
			storeId: BTCPAY_STORE,
			amount: asked.amount,
			currency: asked.currency,
			metadata: asked.metadata,
			checkoutLink: `https://btcpay.example/i/${id}`,
			createdTime: nowS(),
			expirationTime: nowS() + 15 * 60,
			status: 'New',
			additionalStatus: 'None',
		};
		invoices.set(id, invoice);
		payments.set(id, []);
		return { status: 200, body: invoice };
	}

	function methodOf(id: string) {
		return { paymentMethodId: 'BTC-CHAIN', currency: 'BTC', rate: BTC_RATE, payments: paymentsOf(id) };
	}

	function paymentsOf(id: string): BtcpayPayment[] {
		const list = payments.get(id);
		if (!list) throw new Error(`there is no invoice ${id}`);
		return list;
	}

	function receive(invoice: BtcpayInvoice, paid: Paid = { cents: centsOf(invoice) }): void {
		const { btc, fee = '0' } = 'cents' in paid ? { btc: btcOf(paid.cents) } : paid;
		paymentsOf(invoice.id).push({ value: btc, fee, receivedDate: nowS(), status: 'Processing' });
	}

	function confirm(invoice: BtcpayInvoice): void {
		for (const payment of paymentsOf(invoice.id)) payment.status = 'Settled';
	}

	async function become(
		invoice: BtcpayInvoice,
		state: Partial<Pick<BtcpayInvoice, 'status' | 'additionalStatus'>>,
		type: string,
	): Promise<void> {
		Object.assign(invoice, state);
		const { id: invoiceId, storeId, metadata } = invoice;
		await standIn.announce(type, {
			deliveryId: `delivery${++ids}`,
			type,
			timestamp: nowS(),
			storeId,
			invoiceId,
			metadata,
		});
	}

	const server = await startProviderServer(t, {
		answer,
		errorBody: (_status, message) => ({ code: 'refused', message }),
		sign: (body) => ({ 'btcpay-sig': signBtcpay(body) }),
	});
	const standIn: BtcpayStandIn = Object.assign(server, {
		nowMs: Date.now,
		forbidden: new Set<string>(),
		invoices,
		payments,
		invoiceOf(paymentId: string) {
			const invoice = [...invoices.values()].find(({ metadata }) => metadata.orderId === paymentId);
			if (!invoice) throw new Error(`no invoice was made for ${paymentId}`);
			return invoice;
		},
		async pay(invoice: BtcpayInvoice, paid?: Paid) {
			receive(invoice, paid);
			const sats = paymentsOf(invoice.id).reduce((sum, payment) => sum + satsOf(payment), 0n);
			const due = BigInt(centsOf(invoice)) * 20n;
			if (sats < due) return become(invoice, { additionalStatus: 'PaidPartial' }, 'InvoiceReceivedPayment');
			const additionalStatus = sats > due ? 'PaidOver' : 'None';
			await become(invoice, { status: 'Processing', additionalStatus }, 'InvoiceProcessing');
		},
		async settle(invoice: BtcpayInvoice) {
			confirm(invoice);
			await become(invoice, { status: 'Settled' }, 'InvoiceSettled');
		},
		async expire(invoice: BtcpayInvoice) {
			await become(invoice, { status: 'Expired' }, 'InvoiceExpired');
		},
		async payLate(invoice: BtcpayInvoice, paid?: Paid) {
			receive(invoice, paid);
			await become(invoice, { status: 'Expired', additionalStatus: 'PaidLate' }, 'InvoiceReceivedPayment');
		},
		async confirmPayments(invoice: BtcpayInvoice) {
			confirm(invoice);
			await become(invoice, {}, 'InvoicePaymentSettled');
		},
		async invalidate(invoice: BtcpayInvoice) {
			await become(invoice, { status: 'Invalid', additionalStatus: 'None' }, 'InvoiceInvalid');
		},
		async mark(invoice: BtcpayInvoice, status: 'Settled' | 'Invalid') {
			await become(invoice, { status, additionalStatus: 'Marked' }, `Invoice${status}`);
		},
	});
	return standIn;
}

/** The header `BTCPay-Sig` of a hint. */
export function signBtcpay(body: string, secret = BTCPAY_WEBHOOK_SECRET): string {
	return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Newest first. */
function pageOf(all: readonly BtcpayInvoice[], query: URLSearchParams): readonly BtcpayInvoice[] {
	const orders = query.getAll('orderId');
	const from = Number(query.get('startDate') ?? 0);
	const matching = all
		.filter(({ metadata }) => orders.length === 0 || orders.includes(String(metadata.orderId)))
		.filter(({ createdTime }) => createdTime >= from)
		.reverse();
	const skip = Number(query.get('skip') ?? 0);
	return matching.slice(skip, skip + Number(query.get('take') ?? 50));
}

function centsOf({ amount }: BtcpayInvoice): number {
	const [dollars = '', cents = ''] = amount.split('.');
	return Number(dollars + cents.padEnd(2, '0'));
}

/** A decimal with eight places. */
function btcOf(cents: number): string {
	const sats = String(cents * 20).padStart(9, '0');
	return `${sats.slice(0, -8)}.${sats.slice(-8)}`;
}

function satsOf({ value, fee }: BtcpayPayment): bigint {
	const sats = (btc: string) => {
		const [whole = '', part = ''] = btc.split('.');
		return BigInt(whole + part.padEnd(8, '0').slice(0, 8));
	};
	return sats(value) - sats(fee);
}

function failure(status: number, code: string, message: string): ProviderAnswer {
	return { status, body: { code, message } };
}
