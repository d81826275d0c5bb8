import { createHmac, timingSafeEqual } from 'node:crypto';
import { usd } from '@bursar/contract/usd';
import { ForgedHintError, type NewPayment, type PaymentProvider, ProviderRefusedError } from '../provider.ts';
import type { BtcpaySettings } from '../settings.ts';
import { askProvider, ProviderFailedError, said } from './ask-provider.ts';
import {
	type Invoice,
	type InvoicePaymentMethod,
	needsPayments,
	paymentIdOf,
	readInvoice,
	stateOf,
} from './btcpay-reading.ts';

const PAGE_SIZE = 100;
/** @bound Pages of a list that is read at BTCPay Server, of 100 invoices each: with more, reading it fails. */
const MAX_PAGES = 1_000;
/** An invoice is paid, watched after its end and confirmed within this time after it was made. */
const CHANGES_WITHIN_MS = 3 * 24 * 60 * 60 * 1_000;
/** Answers after which nothing was made. */
const REFUSALS = [400, 401, 403, 404, 422, 429];

/** A request to the API of the store. */
interface Asked {
	/** Behind the address of the store. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string>>;
	/** It is posted. */
	readonly body?: unknown;
}

interface Answered {
	readonly status: number;
	readonly body: unknown;
}

/** Payments through BTCPay Server. The object of a payment is its invoice. Refunds are not read: they are adjustments. */
export function createBtcpay(settings: BtcpaySettings): PaymentProvider {
	const { url, store, key, webhookSecret } = settings;

	async function ask({ path, query = {}, body }: Asked, signal: AbortSignal): Promise<Answered> {
		const target = `${url}/api/v1/stores/${encodeURIComponent(store)}${path}?${new URLSearchParams(query)}`;
		const headers = { authorization: `token ${key}`, accept: 'application/json', 'content-type': 'application/json' };
		const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
		const answer = await askProvider(target, { headers, ...posted }, signal);
		const text = await answer.text();
		try {
			return { status: answer.status, body: JSON.parse(text === '' ? 'null' : text) };
		} catch {
			if (answer.status !== 200) return { status: answer.status, body: null };
			throw new ProviderFailedError('BTCPay Server answers something that is not JSON');
		}
	}

	async function list<Item>(asked: Asked, signal: AbortSignal): Promise<readonly Item[]> {
		const answer = await ask(asked, signal);
		if (answer.status !== 200) throw new ProviderFailedError(failureIn(answer));
		if (Array.isArray(answer.body)) return answer.body;
		throw new ProviderFailedError('BTCPay Server answers something else than a list');
	}

	async function* invoicesBy(query: Readonly<Record<string, string>>, signal: AbortSignal) {
		for (let count = 0; count < MAX_PAGES; count++) {
			const page = { skip: String(count * PAGE_SIZE), take: String(PAGE_SIZE), includeArchived: 'true' };
			const invoices = await list<Invoice>({ path: '/invoices', query: { ...query, ...page } }, signal);
			yield invoices;
			if (invoices.length < PAGE_SIZE) return;
		}
		throw new ProviderFailedError(`a list at BTCPay Server has more than ${MAX_PAGES} pages`);
	}

	function invoiceIn(answer: Answered): Invoice {
		if (answer.status !== 200) throw new ProviderFailedError(failureIn(answer));
		if (typeof answer.body === 'object' && answer.body !== null) return answer.body;
		throw new ProviderFailedError('BTCPay Server answers something else than an invoice');
	}

	/** For people, without a secret. */
	function failureIn({ status, body }: Answered): string {
		// A refused invoice has a list of what is wrong.
		const problem = (Array.isArray(body) ? body[0] : body) as { readonly message?: unknown } | null;
		const message = problem?.message === undefined ? '' : `: ${said(problem.message, [key, webhookSecret])}`;
		return `BTCPay Server answers ${status}${message}`;
	}

	return {
		name: 'btcpay',
		isLive: true,

		async create(payment, signal) {
			const answer = await ask({ path: '/invoices', body: invoiceFor(payment) }, signal);
			if (REFUSALS.includes(answer.status)) throw new ProviderRefusedError(failureIn(answer));
			const invoice = invoiceIn(answer);
			return { objectId: idOf(invoice), reading: readInvoice(invoice, []) };
		},

		async find({ id }, signal) {
			for await (const invoices of invoicesBy({ orderId: id }, signal)) {
				const found = invoices.find((invoice) => paymentIdOf(invoice) === id);
				if (found) return idOf(found);
			}
			return undefined;
		},

		async read(objectId, signal) {
			const path = `/invoices/${encodeURIComponent(objectId)}`;
			const answer = await ask({ path }, signal);
			// Another server could answer 404 to anything.
			if (answer.status === 404 && codeIn(answer.body) === 'invoice-not-found') return undefined;
			const invoice = invoiceIn(answer);
			if (idOf(invoice) !== objectId) throw new ProviderFailedError('BTCPay Server answers another invoice');
			const paid = { path: `${path}/payment-methods` };
			const methods = needsPayments(invoice) ? await list<InvoicePaymentMethod>(paid, signal) : [];
			return readInvoice(invoice, methods);
		},

		readHint(body, headers) {
			if (!isSigned(body, headers['btcpay-sig'], webhookSecret)) {
				throw new ForgedHintError('the hint is not signed by BTCPay Server');
			}
			const hint = parsed(body);
			if (hint?.storeId !== store || typeof hint.invoiceId !== 'string') return [];
			return [{ paymentId: paymentIdOf(hint), objectIds: [hint.invoiceId] }];
		},

		async *listChanged(sinceMs, signal) {
			const startDate = String(Math.max(0, Math.floor((sinceMs - CHANGES_WITHIN_MS) / 1_000)));
			for await (const invoices of invoicesBy({ startDate }, signal)) {
				yield invoices.map((invoice) => ({
					...{ paymentId: paymentIdOf(invoice), objectIds: [idOf(invoice)] },
					// It lists all invoices of some days, and most have not changed.
					state: stateOf(invoice),
				}));
			}
		},

		async check(signal) {
			for (const { path, permission } of NEEDED) {
				const answer = await ask({ path, query: { take: '1' } }, signal);
				if (answer.status === 403) {
					throw new ProviderFailedError(`the key lacks a permission for the store: ${permission}`);
				}
				if (answer.status !== 200) throw new ProviderFailedError(failureIn(answer));
			}
		},
	};
}

/** What is read, and the permission that it needs. */
const NEEDED = [
	{ path: '', permission: 'btcpay.store.canviewstoresettings' },
	{ path: '/invoices', permission: 'btcpay.store.canviewinvoices' },
];

function invoiceFor({ id, reseller, amountCents, returnUrl }: NewPayment) {
	return {
		amount: usd(amountCents),
		currency: 'USD',
		metadata: { orderId: id, itemDesc: `Balance of ${reseller}` },
		checkout: { redirectURL: returnUrl },
	};
}

function idOf({ id }: Invoice): string {
	if (typeof id !== 'string' || id === '')
		throw new ProviderFailedError('BTCPay Server answers an invoice without an id');
	return id;
}

function codeIn(body: unknown): unknown {
	return (body as { readonly code?: unknown } | null)?.code;
}

function isSigned(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
	const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(String(header)) ?? [];
	if (hex === undefined) return false;
	return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** The part of a webhook that is read. */
interface WebhookEvent extends Pick<Invoice, 'metadata'> {
	readonly storeId?: unknown;
	readonly invoiceId?: unknown;
}

function parsed(body: Buffer): WebhookEvent | null {
	try {
		return JSON.parse(body.toString('utf8'));
	} catch {
		return null;
	}
}
