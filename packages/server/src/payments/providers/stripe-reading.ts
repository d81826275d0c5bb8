import type Stripe from 'stripe';
import type { PaymentReading } from '../../domain/payments/reading.ts';
import type { PaymentNames } from '../provider.ts';
import { ProviderFailedError } from './ask-provider.ts';

/** Stripe keeps it with a session, its payment intent and its charge. Only the operator can change it. */
export const PAYMENT_ID = 'bursar_payment';

/** What belongs to a session. */
export interface SessionRest {
	readonly intent: Stripe.PaymentIntent | undefined;
	readonly refunds: readonly Stripe.Refund[];
	readonly disputes: readonly Stripe.Dispute[];
}

/** These sent no money back, or will not. */
const VOID_REFUNDS: readonly (string | null)[] = ['failed', 'canceled'];
/** Inquiries move no money, a won dispute has given it back, and for a prevented one there is a refund. */
const VOID_DISPUTES = ['warning_needs_response', 'warning_under_review', 'warning_closed', 'won', 'prevented'];
/** The payer has to begin again, which a completed session does not allow. */
const FAILED_INTENTS = ['requires_payment_method', 'canceled'];

/** What a session says of its payment. If anything of it is in another currency than USD, that is the currency. */
export function readSession(session: Stripe.Checkout.Session, rest: SessionRest): PaymentReading {
	const { intent } = rest;
	if (session.object !== 'checkout.session')
		throw new ProviderFailedError('Stripe answers something else than a session');
	const refunds = rest.refunds.filter(({ status }) => !VOID_REFUNDS.includes(status));
	const disputes = rest.disputes.filter(({ status }) => !VOID_DISPUTES.includes(status));
	const currencies = [session, ...(intent ? [intent] : []), ...refunds, ...disputes].map(({ currency }) =>
		String(currency),
	);
	const state = stateOf(session, intent);
	return {
		paymentId: session.metadata?.[PAYMENT_ID],
		isLive: session.livemode,
		currency: currencies.find((currency) => currency !== 'usd') ?? 'usd',
		state,
		settledCents: intent ? centsOf(intent.amount_received) : 0,
		refundedCents: sumOf(refunds),
		disputedCents: sumOf(disputes),
		isLate: false,
		intentId: intent?.id,
		pageUrl: state === 'open' ? (session.url ?? undefined) : undefined,
		expiresAtMs: session.expires_at * 1_000,
	};
}

/** The payments that an object of Stripe names: a session, a payment intent, a charge, a refund or a dispute. */
export function namesIn(object: unknown): readonly PaymentNames[] {
	const { object: kind, id, payment_intent, metadata } = (object ?? {}) as Readonly<Record<string, unknown>>;
	const isNamed = kind === 'checkout.session' || kind === 'payment_intent';
	const objectIds = [isNamed ? id : undefined, idOf(payment_intent)].filter((each) => typeof each === 'string');
	const paymentId = (metadata as Readonly<Record<string, unknown>> | null | undefined)?.[PAYMENT_ID];
	if (typeof paymentId === 'string') return [{ paymentId, objectIds }];
	return objectIds.length > 0 ? [{ objectIds }] : [];
}

function stateOf(
	{ status, payment_status }: Stripe.Checkout.Session,
	intent: Stripe.PaymentIntent | undefined,
): PaymentReading['state'] {
	if (intent && intent.amount_received > 0) return 'settled';
	if (status === 'open') return 'open';
	if (status !== 'complete') return 'expired';
	if (payment_status !== 'unpaid') return 'settled';
	return intent && FAILED_INTENTS.includes(intent.status) ? 'expired' : 'processing';
}

function sumOf(entries: readonly { readonly amount: number }[]): number {
	return entries.reduce((sum, { amount }) => sum + centsOf(amount), 0);
}

function centsOf(amount: number): number {
	if (!Number.isSafeInteger(amount) || amount < 0)
		throw new ProviderFailedError('Stripe answers an amount that is none');
	return amount;
}

/** Where Stripe can give an object instead of its id. */
function idOf(reference: unknown): unknown {
	return typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : reference;
}
