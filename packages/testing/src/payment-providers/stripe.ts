import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type ProviderAnswer, type ProviderServer, type SeenRequest, startProviderServer } from './provider-server.ts';

export const STRIPE_KEY = 'sk_live_standIn0123456789abcdef';
export const STRIPE_TEST_KEY = 'sk_test_standIn0123456789abcdef';
export const STRIPE_WEBHOOK_SECRET = 'whsec_standIn0123456789abcdef';

const LIST_LIMIT = 100;
/** Stripe forgets events after 30 days. */
const EVENTS_KEPT_S = 30 * 24 * 60 * 60;

type Metadata = Readonly<Record<string, string>>;

interface StripeIntent {
	readonly object: 'payment_intent';
	readonly id: string;
	readonly created: number;
	readonly metadata: Metadata;
	currency: string;
	amount_received: number;
	status: 'processing' | 'succeeded' | 'requires_payment_method';
	livemode: boolean;
}

export interface StripeSession {
	readonly object: 'checkout.session';
	readonly id: string;
	readonly created: number;
	readonly client_reference_id: string | null;
	readonly expires_at: number;
	readonly amount_total: number;
	metadata: Metadata;
	currency: string;
	status: 'open' | 'complete' | 'expired';
	payment_status: 'unpaid' | 'paid';
	livemode: boolean;
	url: string | null;
	payment_intent: string | null;
}

/** A refund, or a dispute. */
export interface StripeReturn {
	readonly object: 'refund' | 'dispute';
	readonly id: string;
	readonly created: number;
	readonly amount: number;
	readonly charge: string;
	readonly payment_intent: string;
	readonly metadata: Metadata;
	readonly currency: string;
	status: string;
}

interface StripeEvent {
	readonly object: 'event';
	readonly id: string;
	readonly created: number;
	readonly type: string;
	readonly livemode: boolean;
	readonly data: { readonly object: unknown };
}

export interface StripeStandIn extends ProviderServer {
	/** Whether new objects are live, and which key is right. */
	isLive: boolean;
	/** The clock, in Unix milliseconds. */
	nowMs: () => number;
	/** The key may not read these, like `refunds`. */
	readonly forbidden: Set<string>;
	readonly sessions: Map<string, StripeSession>;
	readonly intents: Map<string, StripeIntent>;
	/** The session that was made for a payment of the service. Throws if there is none. */
	sessionOf(paymentId: string): StripeSession;
	/** The payer pays. Default: what was asked for, in its currency. */
	pay(session: StripeSession, paid?: { readonly cents?: number; readonly currency?: string }): Promise<void>;
	/** The payer pays with a method that takes days. `settle` or `fail` follows. */
	payAsync(session: StripeSession): Promise<void>;
	settle(session: StripeSession): Promise<void>;
	fail(session: StripeSession): Promise<void>;
	expire(session: StripeSession): Promise<void>;
	/** The operator refunds a part. A refund succeeds at once, or is pending. */
	refund(
		session: StripeSession,
		cents: number,
		how?: { readonly status?: string; readonly currency?: string },
	): Promise<StripeReturn>;
	/** The payer's bank takes money back. It is `won` or `lost` later. `warning_needs_response` is only an inquiry. */
	dispute(session: StripeSession, cents: number, status?: string): Promise<StripeReturn>;
	/** Changes the status of a refund, for example to `failed`, or of a dispute. */
	change(entry: StripeReturn, status: string): Promise<void>;
}

/** The settings of a service that takes payments through this server. */
export function stripeEnvironment({ url }: Pick<ProviderServer, 'url'>) {
	return {
		BURSAR_STRIPE_KEY: STRIPE_KEY,
		BURSAR_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
		BURSAR_STRIPE_URL: url,
	};
}

/** A server with the part of Stripe's API that the service uses. */
export async function startStripe(t: TestContext): Promise<StripeStandIn> {
	const sessions = new Map<string, StripeSession>();
	const intents = new Map<string, StripeIntent>();
	const returns: StripeReturn[] = [];
	const events: StripeEvent[] = [];
	/** By idempotency key. */
	const created = new Map<string, { readonly body: string; readonly session: StripeSession }>();
	let ids = 0;
	const newId = (prefix: string) => `${prefix}_${(++ids).toString().padStart(12, '0')}`;
	const nowS = () => Math.floor(standIn.nowMs() / 1000);

	function answer(request: SeenRequest): ProviderAnswer {
		const key = standIn.isLive ? STRIPE_KEY : STRIPE_TEST_KEY;
		const given = request.headers.authorization?.replace('Bearer ', '') ?? '';
		// Unlike Stripe, it tells the whole key: whoever logs this error would leak it.
		if (given !== key) return failure(401, 'invalid_request_error', `Invalid API Key provided: ${given}`);
		const [, , kind = '', ...rest] = request.path.split('/');
		const name = kind === 'checkout' ? 'sessions' : kind;
		if (standIn.forbidden.has(name)) {
			return failure(
				403,
				'invalid_request_error',
				`The provided key '${given}' does not have the required permissions.`,
			);
		}
		const id = kind === 'checkout' ? rest[1] : rest[0];
		if (request.method === 'POST') return makeSession(request);
		if (id !== undefined) return readSession(id, request.query);
		const lists: Record<string, readonly Listed[]> = {
			sessions: [...sessions.values()],
			payment_intents: [...intents.values()],
			refunds: returns.filter((entry) => entry.object === 'refund'),
			disputes: returns.filter((entry) => entry.object === 'dispute'),
			events: events.filter((event) => event.created >= nowS() - EVENTS_KEPT_S),
		};
		const list = lists[name];
		if (!list) return failure(404, 'invalid_request_error', `Unrecognized request URL (${request.path}).`);
		return { status: 200, body: pageOf(list, request) };
	}

	function makeSession({ body, headers }: SeenRequest): ProviderAnswer {
		const fields = new URLSearchParams(body);
		const key = String(headers['idempotency-key']);
		const before = created.get(key);
		if (before) {
			return before.body === body
				? { status: 200, body: before.session }
				: failure(400, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters.');
		}
		const cents = Number(fields.get('line_items[0][price_data][unit_amount]'));
		if (cents < 50) return failure(400, 'invalid_request_error', 'The amount must be at least $0.50 usd.');
		const id = newId(standIn.isLive ? 'cs_live' : 'cs_test');
		const session: StripeSession = {
			object: 'checkout.session',
			id,
			created: nowS(),
			client_reference_id: fields.get('client_reference_id'),
			expires_at: nowS() + 24 * 60 * 60,
			amount_total: cents,
			metadata: metadataOf(fields, 'metadata'),
			currency: fields.get('line_items[0][price_data][currency]') ?? '',
			status: 'open',
			payment_status: 'unpaid',
			livemode: standIn.isLive,
			url: `https://checkout.stripe.example/pay/${id}`,
			payment_intent: null,
		};
		sessions.set(id, session);
		created.set(key, { body, session });
		intentMetadata.set(id, metadataOf(fields, 'payment_intent_data[metadata]'));
		return { status: 200, body: session };
	}
	const intentMetadata = new Map<string, Metadata>();

	function readSession(id: string, query: URLSearchParams): ProviderAnswer {
		const session = sessions.get(id);
		if (!session) return failure(404, 'invalid_request_error', `No such checkout.session: '${id}'`, 'resource_missing');
		const isExpanded = query.get('expand[0]') === 'payment_intent' && session.payment_intent !== null;
		const intent = isExpanded ? intents.get(session.payment_intent ?? '') : undefined;
		return { status: 200, body: intent ? { ...session, payment_intent: intent } : session };
	}

	async function tell(type: string, object: unknown): Promise<void> {
		const event: StripeEvent = {
			object: 'event',
			id: newId('evt'),
			created: nowS(),
			type,
			livemode: standIn.isLive,
			data: { object: structuredClone(object) },
		};
		events.push(event);
		await standIn.announce(type, event);
	}

	function intentOf(session: StripeSession): StripeIntent {
		const known = intents.get(session.payment_intent ?? '');
		if (known) return known;
		const intent: StripeIntent = {
			object: 'payment_intent',
			id: newId('pi'),
			created: nowS(),
			metadata: intentMetadata.get(session.id) ?? {},
			currency: session.currency,
			amount_received: 0,
			status: 'processing',
			livemode: session.livemode,
		};
		intents.set(intent.id, intent);
		session.payment_intent = intent.id;
		return intent;
	}

	function complete(session: StripeSession): StripeIntent {
		Object.assign(session, { status: 'complete', url: null });
		return intentOf(session);
	}

	function makeReturn(object: 'refund' | 'dispute', session: StripeSession, entry: Partial<StripeReturn>) {
		const { id, currency } = intentOf(session);
		const made: StripeReturn = {
			object,
			id: newId(object === 'refund' ? 're' : 'du'),
			created: nowS(),
			amount: 0,
			charge: id.replace('pi', 'ch'),
			payment_intent: id,
			metadata: {},
			currency,
			status: '',
			...entry,
		};
		returns.push(made);
		return made;
	}

	const server = await startProviderServer(t, {
		answer,
		errorBody: (_status, message) => ({ error: { type: 'api_error', message } }),
		sign: (body) => ({ 'stripe-signature': signStripe(body, nowS()) }),
	});
	const standIn: StripeStandIn = Object.assign(server, {
		isLive: true,
		nowMs: Date.now,
		forbidden: new Set<string>(),
		sessions,
		intents,
		sessionOf(paymentId: string) {
			const session = [...sessions.values()].find((each) => each.client_reference_id === paymentId);
			if (!session) throw new Error(`no session was made for ${paymentId}`);
			return session;
		},
		async pay(session: StripeSession, paid: { readonly cents?: number; readonly currency?: string } = {}) {
			const { cents = session.amount_total, currency = session.currency } = paid;
			Object.assign(complete(session), { status: 'succeeded', amount_received: cents, currency });
			Object.assign(session, { payment_status: 'paid', currency });
			await tell('checkout.session.completed', session);
		},
		async payAsync(session: StripeSession) {
			complete(session);
			await tell('checkout.session.completed', session);
		},
		async settle(session: StripeSession) {
			Object.assign(intentOf(session), { status: 'succeeded', amount_received: session.amount_total });
			session.payment_status = 'paid';
			await tell('checkout.session.async_payment_succeeded', session);
		},
		async fail(session: StripeSession) {
			intentOf(session).status = 'requires_payment_method';
			await tell('checkout.session.async_payment_failed', session);
		},
		async expire(session: StripeSession) {
			Object.assign(session, { status: 'expired', url: null });
			await tell('checkout.session.expired', session);
		},
		async refund(
			session: StripeSession,
			cents: number,
			how: { readonly status?: string; readonly currency?: string } = {},
		) {
			const refund = makeReturn('refund', session, { amount: cents, status: 'succeeded', ...how });
			await tell('refund.created', refund);
			return refund;
		},
		async dispute(session: StripeSession, cents: number, status = 'needs_response') {
			const dispute = makeReturn('dispute', session, { amount: cents, status });
			await tell('charge.dispute.created', dispute);
			return dispute;
		},
		async change(entry: StripeReturn, status: string) {
			entry.status = status;
			if (entry.object === 'refund') await tell(status === 'failed' ? 'refund.failed' : 'refund.updated', entry);
			else await tell(`charge.dispute.${['won', 'lost'].includes(status) ? 'closed' : 'updated'}`, entry);
		},
	});
	return standIn;
}

/** The header `Stripe-Signature` of a hint that is sent at a time, in Unix seconds. */
export function signStripe(body: string, timestampS: number, secret = STRIPE_WEBHOOK_SECRET): string {
	const signature = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex');
	return `t=${timestampS},v1=${signature}`;
}

interface Listed {
	readonly id: string;
	readonly created: number;
	readonly type?: string;
	readonly payment_intent?: string | null;
}

/** Newest first, from behind `starting_after` on. */
function pageOf(all: readonly Listed[], { path, query }: SeenRequest) {
	const from = Number(query.get('created[gte]') ?? 0);
	const to = Number(query.get('created[lte]') ?? Number.POSITIVE_INFINITY);
	const intent = query.get('payment_intent');
	const types = [...query].filter(([name]) => name.startsWith('types[')).map(([, type]) => type);
	const matching = all
		.filter((each) => each.created >= from && each.created <= to)
		.filter((each) => intent === null || each.payment_intent === intent)
		.filter((each) => types.length === 0 || types.includes(each.type ?? ''))
		.reverse();
	const after = query.get('starting_after');
	const begin = after === null ? 0 : matching.findIndex((each) => each.id === after) + 1;
	const end = begin + Math.min(Number(query.get('limit') ?? 10), LIST_LIMIT);
	return { object: 'list', url: path, data: matching.slice(begin, end), has_more: end < matching.length };
}

function metadataOf(fields: URLSearchParams, name: string): Metadata {
	const entries = [...fields].filter(([field]) => field.startsWith(`${name}[`));
	return Object.fromEntries(entries.map(([field, value]) => [field.slice(name.length + 1, -1), value]));
}

function failure(status: number, type: string, message: string, code?: string): ProviderAnswer {
	return { status, body: { error: { type, code, message } } };
}
