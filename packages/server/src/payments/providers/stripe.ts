import Stripe from 'stripe';
import {
	ForgedHintError,
	type NewPayment,
	type PaymentNames,
	type PaymentProvider,
	ProviderRefusedError,
} from '../provider.ts';
import { isTestKey, type StripeSettings } from '../settings.ts';
import { askProvider, ProviderFailedError, said } from './ask-provider.ts';
import { namesIn, PAYMENT_ID, readSession } from './stripe-reading.ts';

/** With another version, objects may have another form. The types of the library are those of this one. */
const API_VERSION = '2026-10-28.endive';
/** The signature of a hint is not older. */
const HINT_SECONDS = 300;
/** How far from our time of a payment its session is looked for: the clocks differ, and making it can take a while. */
const FIND_WITHIN_S = 15 * 60;
const PAGE_SIZE = 100;
/** @bound Pages of a list that is read at Stripe, of 100 entries each: with more, reading it fails. */
const MAX_PAGES = 1_000;
/** @bound Pages of the refunds or disputes of one payment: with more, reading the payment fails. */
const MAX_RETURN_PAGES = 20;
const DAY_S = 24 * 60 * 60;
/** Stripe keeps events for 30 days. */
const EVENTS_KEPT_S = 29 * DAY_S;
/** For so long after its beginning, a refund or a dispute can change. */
const RETURNS_CHANGE_S = 180 * DAY_S;
/** What changes a payment. */
const EVENT_TYPES = [
	'checkout.session.completed',
	'checkout.session.async_payment_succeeded',
	'checkout.session.async_payment_failed',
	'checkout.session.expired',
	'charge.refunded',
	'charge.refund.updated',
	'refund.created',
	'refund.updated',
	'refund.failed',
	'charge.dispute.created',
	'charge.dispute.updated',
	'charge.dispute.closed',
	'charge.dispute.funds_withdrawn',
	'charge.dispute.funds_reinstated',
];
/** Answers after which Stripe has made nothing. */
const REFUSALS = [400, 401, 402, 403, 404, 429];

/** Payments through Stripe Checkout. The object of a payment is its session. */
export function createStripe(settings: StripeSettings, now: () => number = Date.now): PaymentProvider {
	/** Does something with a client of the library, and tells how often it has asked. No error has a secret. */
	async function withClient<Result>(
		signal: AbortSignal,
		use: (client: Stripe, tries: () => number) => Promise<Result>,
	): Promise<Result> {
		const { client, tries } = connect(settings, signal);
		try {
			return await use(client, tries);
		} catch (cause) {
			throw withoutSecrets(cause, settings);
		}
	}

	return {
		name: 'stripe',
		isLive: !isTestKey(settings.key),

		create: (payment, signal) =>
			withClient(signal, async (client, tries) => {
				try {
					const session = await client.checkout.sessions.create(sessionFor(payment), { idempotencyKey: payment.id });
					return { objectId: session.id, reading: readSession(session, NOTHING_YET) };
				} catch (cause) {
					// An earlier try may have made it, although its answer was lost.
					if (tries() > 1 || !isRefusal(cause)) throw cause;
					throw new ProviderRefusedError(withoutSecrets(cause, settings).message);
				}
			}),

		find: ({ id, createdAtMs }, signal) =>
			withClient(signal, async ({ checkout }) => {
				const atS = Math.floor(createdAtMs / 1_000);
				const created = { gte: atS - FIND_WITHIN_S, lte: atS + FIND_WITHIN_S };
				for await (const sessions of pages((page) => checkout.sessions.list({ ...page, created }), MAX_PAGES)) {
					const found = sessions.find(({ metadata }) => metadata?.[PAYMENT_ID] === id);
					if (found) return found.id;
				}
				return undefined;
			}),

		read: (objectId, signal) =>
			withClient(signal, async (client) => {
				const session = await readIfThere(() =>
					client.checkout.sessions.retrieve(objectId, { expand: ['payment_intent'] }),
				);
				if (!session) return undefined;
				const intent = session.payment_intent;
				if (!intent) return readSession(session, NOTHING_YET);
				if (typeof intent === 'string') throw new ProviderFailedError('Stripe does not tell the payment intent');
				const ofIntent = { payment_intent: intent.id };
				const refunds = await all((page) => client.refunds.list({ ...page, ...ofIntent }));
				const disputes = await all((page) => client.disputes.list({ ...page, ...ofIntent }));
				return readSession(session, { intent, refunds, disputes });
			}),

		readHint(body, headers, nowMs) {
			const signature = headers['stripe-signature'];
			const { webhookSecret } = settings;
			let event: Stripe.Event;
			try {
				if (typeof signature !== 'string') throw new Error('there is no signature');
				event = Stripe.webhooks.constructEvent(body, signature, webhookSecret, HINT_SECONDS, undefined, nowMs);
			} catch {
				throw new ForgedHintError('the hint is not signed by Stripe, or its signature is too old');
			}
			return namesIn(event?.data?.object);
		},

		async *listChanged(sinceMs, signal) {
			const { client } = connect(settings, signal);
			const sinceS = Math.floor(sinceMs / 1_000);
			const areAllKept = sinceS > Math.floor(now() / 1_000) - EVENTS_KEPT_S;
			try {
				yield* eventsSince(client, sinceS);
				if (!areAllKept) yield* returnsSince(client, Math.max(0, sinceS - RETURNS_CHANGE_S));
			} catch (cause) {
				throw withoutSecrets(cause, settings);
			}
		},

		check: (signal) =>
			withClient(signal, async (client) => {
				for (const { permission, ask } of NEEDED) {
					const list = await ask(client).catch((cause) => {
						if ((cause as Stripe.errors.StripeError).statusCode !== 403) throw cause;
						throw new ProviderFailedError(`the key lacks a permission: ${permission}`);
					});
					if (!Array.isArray(list.data)) throw new ProviderFailedError('another server answers than that of Stripe');
				}
			}),
	};
}

const NOTHING_YET = { intent: undefined, refunds: [], disputes: [] };

/** What is read at Stripe, and the permission that a restricted key needs for it. */
const NEEDED: readonly {
	readonly permission: string;
	readonly ask: (client: Stripe) => Promise<{ readonly data?: unknown }>;
}[] = [
	{ permission: 'Checkout Sessions: Write', ask: ({ checkout }) => checkout.sessions.list({ limit: 1 }) },
	{ permission: 'PaymentIntents: Read', ask: ({ paymentIntents }) => paymentIntents.list({ limit: 1 }) },
	{ permission: 'Charges and Refunds: Read', ask: ({ refunds }) => refunds.list({ limit: 1 }) },
	{ permission: 'Disputes: Read', ask: ({ disputes }) => disputes.list({ limit: 1 }) },
	{ permission: 'Events: Read', ask: ({ events }) => events.list({ limit: 1 }) },
];

function sessionFor({ id, reseller, amountCents, returnUrl }: NewPayment): Stripe.Checkout.SessionCreateParams {
	const metadata = { [PAYMENT_ID]: id, bursar_reseller: reseller };
	const product_data = { name: `Balance of ${reseller}` };
	return {
		mode: 'payment',
		line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: amountCents, product_data } }],
		client_reference_id: id,
		metadata,
		payment_intent_data: { metadata },
		// What is paid is what was asked for, in USD.
		adaptive_pricing: { enabled: false },
		automatic_tax: { enabled: false },
		allow_promotion_codes: false,
		success_url: returnUrl,
		cancel_url: returnUrl,
	};
}

/** A client for one call, because the library cannot end a request by a signal. It costs a fifth of a millisecond. */
function connect({ key, url }: StripeSettings, signal: AbortSignal) {
	let tries = 0;
	const { protocol, hostname, port } = new URL(url);
	const client = new Stripe(key, {
		apiVersion: API_VERSION,
		protocol: protocol === 'http:' ? 'http' : 'https',
		host: hostname,
		...(port !== '' && { port }),
		maxNetworkRetries: 1,
		telemetry: false,
		httpClient: Stripe.createFetchHttpClient(async (target, init = {}) => {
			tries++;
			const answer = await askProvider(String(target), init, signal);
			// The library would write it to the standard error of the service.
			answer.headers.delete('stripe-notice');
			return answer;
		}),
	});
	return { client, tries: () => tries };
}

async function* eventsSince(client: Stripe, sinceS: number): AsyncGenerator<readonly PaymentNames[]> {
	const asked = { types: EVENT_TYPES, created: { gte: sinceS } };
	for await (const events of pages((page) => client.events.list({ ...page, ...asked }), MAX_PAGES)) {
		yield events.flatMap(({ data }) => namesIn(data.object));
	}
}

async function* returnsSince(client: Stripe, sinceS: number): AsyncGenerator<readonly PaymentNames[]> {
	const created = { gte: sinceS };
	for await (const refunds of pages((page) => client.refunds.list({ ...page, created }), MAX_PAGES)) {
		yield refunds.flatMap(namesIn);
	}
	for await (const disputes of pages((page) => client.disputes.list({ ...page, created }), MAX_PAGES)) {
		yield disputes.flatMap(namesIn);
	}
}

type ReadPage<Item> = (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<Item>>;

/** A list of Stripe, page by page, newest first. Throws if it does not end. */
async function* pages<Item extends { readonly id: string }>(
	read: ReadPage<Item>,
	most: number,
): AsyncGenerator<readonly Item[]> {
	let last: Item | undefined;
	for (let count = 0; count < most; count++) {
		const { data, has_more } = await read({ limit: PAGE_SIZE, ...(last && { starting_after: last.id }) });
		if (!Array.isArray(data)) throw new ProviderFailedError('Stripe answers something else than a list');
		yield data;
		last = data.at(-1);
		if (!has_more || !last) return;
	}
	throw new ProviderFailedError(`a list at Stripe has more than ${most} pages`);
}

async function all<Item extends { readonly id: string }>(read: ReadPage<Item>): Promise<readonly Item[]> {
	const items: Item[] = [];
	for await (const page of pages(read, MAX_RETURN_PAGES)) items.push(...page);
	return items;
}

/** `undefined` only if Stripe says that the object is not there: another server could answer 404 to anything. */
async function readIfThere<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
	try {
		return await read();
	} catch (cause) {
		const { statusCode, code } = cause as Stripe.errors.StripeError;
		if (statusCode === 404 && code === 'resource_missing') return undefined;
		throw cause;
	}
}

function isRefusal(error: unknown): boolean {
	const { statusCode, type } = error as Stripe.errors.StripeError;
	// With an idempotency error, something was made before with the same key.
	return REFUSALS.includes(statusCode ?? 0) && type !== 'StripeIdempotencyError';
}

function withoutSecrets(error: unknown, { key, webhookSecret }: StripeSettings): Error {
	if (error instanceof ProviderFailedError || error instanceof ProviderRefusedError) return error;
	const { statusCode, message, detail } = error as Stripe.errors.StripeError;
	if (statusCode === undefined && (detail as unknown) instanceof ProviderFailedError) {
		return new ProviderFailedError((detail as unknown as Error).message);
	}
	const status = statusCode === undefined ? '' : ` ${statusCode}`;
	return new ProviderFailedError(`Stripe answers${status}: ${said(message, [key, webhookSecret])}`);
}
