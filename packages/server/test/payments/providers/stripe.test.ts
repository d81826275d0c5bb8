import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
	STRIPE_KEY,
	STRIPE_TEST_KEY,
	STRIPE_WEBHOOK_SECRET,
	type StripeSession,
	type StripeStandIn,
	signStripe,
	startStripe,
} from '@bursar/testing/payment-providers/stripe';
import type { PaymentReading } from '../../../src/domain/payments/reading.ts';
import type { PaymentProvider } from '../../../src/payments/provider.ts';
import { createStripe } from '../../../src/payments/providers/stripe.ts';
import { changedSince, OPEN_READING } from '../../support/payment-providers.ts';

const PAYMENT = { id: 'payment-1', reseller: 'acme', amountCents: 2_500, returnUrl: 'https://bursar.example/back' };
const DAY_MS = 24 * 60 * 60 * 1_000;
const { signal } = new AbortController();

async function start(t: TestContext, key = STRIPE_KEY) {
	const stripe = await startStripe(t);
	stripe.isLive = key === STRIPE_KEY;
	const settings = { key, webhookSecret: STRIPE_WEBHOOK_SECRET, url: stripe.url };
	return { stripe, provider: createStripe(settings, () => stripe.nowMs()) };
}

/** A payment with its session, and how it is read. */
async function begin(t: TestContext) {
	const { stripe, provider } = await start(t);
	const { objectId } = await provider.create(PAYMENT, signal);
	const session = stripe.sessionOf(PAYMENT.id);
	const read = async () => (await provider.read(objectId, signal)) ?? assert.fail('the session is not found');
	return { stripe, provider, session, objectId, read };
}

function amounts({ state, settledCents, refundedCents, disputedCents }: PaymentReading) {
	return [state, settledCents, refundedCents, disputedCents];
}

test('a session asks for the exact amount in USD, names our payment everywhere, and returns to us in any case', async (t) => {
	const { stripe, session, objectId, read } = await begin(t);
	const [{ headers, body = '' } = assert.fail('nothing was asked')] = stripe.requests;
	assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
		mode: 'payment',
		'line_items[0][quantity]': '1',
		'line_items[0][price_data][currency]': 'usd',
		'line_items[0][price_data][unit_amount]': '2500',
		'line_items[0][price_data][product_data][name]': 'Balance of acme',
		client_reference_id: 'payment-1',
		'metadata[bursar_payment]': 'payment-1',
		'metadata[bursar_reseller]': 'acme',
		'payment_intent_data[metadata][bursar_payment]': 'payment-1',
		'payment_intent_data[metadata][bursar_reseller]': 'acme',
		'adaptive_pricing[enabled]': 'false',
		'automatic_tax[enabled]': 'false',
		allow_promotion_codes: 'false',
		success_url: PAYMENT.returnUrl,
		cancel_url: PAYMENT.returnUrl,
	});
	assert.equal(headers['idempotency-key'], 'payment-1');
	assert.equal(headers['stripe-version'], '2026-10-28.endive');
	assert.equal(headers['x-stripe-client-telemetry'], undefined);
	assert.equal(objectId, session.id);
	assert.deepEqual(await read(), {
		...OPEN_READING,
		pageUrl: session.url,
		expiresAtMs: session.expires_at * 1_000,
	});
});

test('what arrived is settled, whatever was asked for', async (t) => {
	for (const cents of [2_500, 2_000, 3_000]) {
		const { stripe, session, read } = await begin(t);
		await stripe.pay(session, { cents });
		const reading = await read();
		assert.deepEqual(amounts(reading), ['settled', cents, 0, 0]);
		assert.equal(reading.intentId, session.payment_intent);
		assert.equal(reading.pageUrl, undefined);
	}
});

test('a payment that takes days is processing until it succeeds or fails', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.payAsync(session);
	assert.deepEqual(amounts(await read()), ['processing', 0, 0, 0]);
	await stripe.fail(session);
	assert.deepEqual(amounts(await read()), ['expired', 0, 0, 0]);
	await stripe.settle(session);
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 0, 0]);
});

test('a session that is not paid in time has expired', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.expire(session);
	assert.deepEqual(amounts(await read()), ['expired', 0, 0, 0]);
});

test('refunds count from their beginning, and not if they failed or were canceled', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.pay(session);
	await stripe.refund(session, 300);
	const pending = await stripe.refund(session, 400, { status: 'pending' });
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 700, 0]);
	await stripe.change(pending, 'requires_action');
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 700, 0]);
	await stripe.change(pending, 'failed');
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 300, 0]);
	await stripe.change(pending, 'canceled');
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 300, 0]);
});

test('more refunds than one page has are all counted', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.pay(session);
	for (let count = 0; count < 250; count++) await stripe.refund(session, 2);
	assert.deepEqual(amounts(await read()), ['settled', 2_500, 500, 0]);
});

test('disputes count while they are open and if they are lost; inquiries and won ones do not', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.pay(session);
	const dispute = await stripe.dispute(session, 2_500);
	for (const [status, cents] of Object.entries({
		...{ needs_response: 2_500, under_review: 2_500, lost: 2_500, appeal_under_review: 2_500 },
		...{ warning_needs_response: 0, warning_under_review: 0, warning_closed: 0, won: 0, prevented: 0 },
	})) {
		await stripe.change(dispute, status);
		assert.deepEqual(amounts(await read()), ['settled', 2_500, 0, cents], status);
	}
});

test('if anything that counts is in another currency, the reading is in that currency', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.pay(session);
	assert.equal((await read()).currency, 'usd');
	const refund = await stripe.refund(session, 100, { currency: 'eur' });
	assert.equal((await read()).currency, 'eur');
	await stripe.change(refund, 'failed');
	assert.equal((await read()).currency, 'usd');
	await stripe.pay(session, { currency: 'jpy' });
	assert.equal((await read()).currency, 'jpy');
	Object.assign(session, { currency: null });
	assert.notEqual((await read()).currency, 'usd');
});

test('a reading names the payment and the mode of the session, not what we expect', async (t) => {
	const { session, read } = await begin(t);
	session.metadata = { bursar_payment: 'payment-2' };
	session.livemode = false;
	const { paymentId, isLive } = await read();
	assert.deepEqual([paymentId, isLive], ['payment-2', false]);
	session.metadata = {};
	assert.equal((await read()).paymentId, undefined);
});

test('only keys for tests are not live', async (t) => {
	const settings = { webhookSecret: STRIPE_WEBHOOK_SECRET, url: 'http://127.0.0.1:1' };
	for (const [key, isLive] of Object.entries({
		sk_live_a: true,
		rk_live_a: true,
		sk_test_a: false,
		rk_test_a: false,
	})) {
		assert.equal(createStripe({ ...settings, key }).isLive, isLive, key);
	}
	const { provider } = await start(t, STRIPE_TEST_KEY);
	assert.equal((await provider.create(PAYMENT, signal)).reading.isLive, false);
});

test('a session that Stripe does not have is told apart from a server that has nothing', async (t) => {
	const { stripe, provider } = await start(t);
	assert.equal(await provider.read('cs_live_none', signal), undefined);
	stripe.faults.refusal = 404;
	await assert.rejects(provider.read('cs_live_none', signal), { name: 'ProviderFailedError' });
});

test('an answer of another form is never taken for a reading', async (t) => {
	const { stripe, session, read } = await begin(t);
	await stripe.pay(session);
	const intent = stripe.intents.get(session.payment_intent ?? '') ?? assert.fail();
	for (const amount of [12.5, -1, 2 ** 53, '2500', null]) {
		Object.assign(intent, { amount_received: amount });
		await assert.rejects(read, /Stripe answers an amount that is none/, String(amount));
	}
	Object.assign(session, { object: 'something' });
	await assert.rejects(read, /something else than a session/);
});

test('a session is found by our id among those that were made at about that time, on any page', async (t) => {
	const { stripe, provider, objectId } = await begin(t);
	const createdAtMs = stripe.nowMs();
	for (let count = 0; count < 150; count++) {
		await provider.create({ ...PAYMENT, id: `other-${count}` }, signal);
	}
	assert.equal(await provider.find({ id: PAYMENT.id, createdAtMs }, signal), objectId);
	assert.equal(await provider.find({ id: 'payment-2', createdAtMs }, signal), undefined);
	assert.equal(await provider.find({ id: PAYMENT.id, createdAtMs: createdAtMs - DAY_MS }, signal), undefined);
});

test('a create whose answer is lost gives the same session again, and makes no second one', async (t) => {
	const { stripe, provider } = await start(t);
	stripe.faults.lostCreates = 1;
	const { objectId } = await provider.create(PAYMENT, signal);
	assert.equal(objectId, stripe.sessionOf(PAYMENT.id).id);
	assert.equal(stripe.sessions.size, 1);
	assert.equal(stripe.requests.length, 2);
});

test('a refused create certainly made nothing; after any other error it may have made a session', async (t) => {
	const { stripe, provider } = await start(t);
	const create = () => provider.create(PAYMENT, signal);
	await assert.rejects(provider.create({ ...PAYMENT, amountCents: 49 }, signal), {
		name: 'ProviderRefusedError',
		message: 'Stripe answers 400: The amount must be at least $0.50 usd.',
	});
	for (const refusal of [401, 403, 429]) {
		stripe.faults.refusal = refusal;
		await assert.rejects(create, { name: 'ProviderRefusedError' }, String(refusal));
	}
	for (const refusal of [409, 500, 503]) {
		stripe.faults.refusal = refusal;
		await assert.rejects(create, { name: 'ProviderFailedError' }, String(refusal));
	}
	stripe.faults.refusal = undefined;
	stripe.faults.isAway = true;
	await assert.rejects(create, { name: 'ProviderFailedError', message: /the connection failed/ });
	stripe.faults.isAway = false;
	await create();
	// The key was used for another amount.
	await assert.rejects(provider.create({ ...PAYMENT, amountCents: 2_600 }, signal), { name: 'ProviderFailedError' });
});

test('a refusal after a try whose answer was lost is none: the first try may have made the session', async (t) => {
	const { stripe, provider } = await start(t);
	stripe.faults.lostCreates = 1;
	const refusal = { get: () => (stripe.sessions.size > 0 ? 403 : undefined) };
	Object.defineProperty(stripe.faults, 'refusal', refusal);
	await assert.rejects(provider.create(PAYMENT, signal), { name: 'ProviderFailedError' });
	assert.equal(stripe.sessions.size, 1);
});

test('a request ends with its signal', async (t) => {
	const { stripe, provider } = await start(t);
	const stop = new AbortController();
	stripe.faults.held = new Promise(() => {});
	const read = provider.read('cs_live_1', stop.signal);
	stop.abort();
	await assert.rejects(read, { name: 'ProviderFailedError', message: 'the request was stopped' });
});

test('no error has a secret, whatever Stripe answers', async (t) => {
	const { stripe } = await start(t);
	const key = 'sk_live_anotherKeyThatIsWrong';
	const provider = createStripe({ key, webhookSecret: STRIPE_WEBHOOK_SECRET, url: stripe.url });
	for (const ask of [
		() => provider.create(PAYMENT, signal),
		() => provider.read('cs_live_1', signal),
		() => provider.find({ id: 'a', createdAtMs: 0 }, signal),
		() => changedSince(provider, 0),
		() => provider.check(signal),
	]) {
		await assert.rejects(ask, (error: Error) => {
			assert.match(error.message, /Stripe answers 401: Invalid API Key provided: \[redacted\]/);
			assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /anotherKey|whsec_/);
			return true;
		});
	}
});

test('the check names the permission that a restricted key lacks, and asks for nothing that would be changed', async (t) => {
	const { stripe, provider } = await start(t);
	await provider.check(signal);
	assert.ok(stripe.requests.every(({ method }) => method === 'GET'));
	for (const [kind, permission] of Object.entries({
		sessions: 'Checkout Sessions: Write',
		payment_intents: 'PaymentIntents: Read',
		refunds: 'Charges and Refunds: Read',
		disputes: 'Disputes: Read',
		events: 'Events: Read',
	})) {
		stripe.forbidden.add(kind);
		await assert.rejects(provider.check(signal), { message: `the key lacks a permission: ${permission}` });
		stripe.forbidden.clear();
	}
});

test('only a hint that Stripe has signed just now is read', async (t) => {
	const { stripe, provider, session } = await begin(t);
	stripe.hintDelivery = 'kept';
	await stripe.pay(session);
	const [{ body } = assert.fail('no hint')] = stripe.hints;
	const nowMs = stripe.nowMs();
	const nowS = Math.floor(nowMs / 1_000);
	const read = (text: string, signature: string | undefined, atMs = nowMs) =>
		provider.readHint(Buffer.from(text), { 'stripe-signature': signature }, atMs);
	const names = [{ paymentId: 'payment-1', objectIds: [session.id, session.payment_intent] }];
	assert.deepEqual(read(body, signStripe(body, nowS)), names);
	assert.deepEqual(read(body, signStripe(body, nowS - 300)), names);
	assert.deepEqual(
		read(body, `${signStripe(body, nowS, 'whsec_before')},${signStripe(body, nowS).split(',')[1]}`),
		names,
	);
	for (const [what, [text, signature]] of Object.entries<readonly [string, string | undefined]>({
		'no signature': [body, undefined],
		'an empty signature': [body, `t=${nowS},v1=`],
		'another secret': [body, signStripe(body, nowS, 'whsec_other')],
		'another body': [body.replace('2500', '9900'), signStripe(body, nowS)],
		'an old signature': [body, signStripe(body, nowS - 301)],
		'another time': [body, signStripe(body, nowS - 900).replace(`t=${nowS - 900}`, `t=${nowS}`)],
		'no time': [body, signStripe(body, nowS).replace(/^t=\d+/, 't=x')],
		'another scheme': [body, signStripe(body, nowS).replace('v1=', 'v0=')],
		'no JSON': ['{', signStripe('{', nowS)],
		'an empty body': ['', signStripe('', nowS)],
	})) {
		assert.throws(() => read(text, signature), { name: 'ForgedHintError' }, what);
	}
});

test('a hint names the payment by what it has of it, and nothing if it is about something else', async (t) => {
	const { stripe, provider, session } = await begin(t);
	stripe.hintDelivery = 'kept';
	await stripe.pay(session);
	await stripe.refund(session, 100);
	await stripe.dispute(session, 100);
	await stripe.announce('customer.created', { object: 'event', data: { object: { object: 'customer', id: 'cus_1' } } });
	await stripe.announce('strange', { object: 'event' });
	const nowMs = stripe.nowMs();
	const named = stripe.hints.map(({ body }) => {
		const headers = { 'stripe-signature': signStripe(body, Math.floor(nowMs / 1_000)) };
		return provider.readHint(Buffer.from(body), headers, nowMs);
	});
	assert.deepEqual(named, [
		[{ paymentId: 'payment-1', objectIds: [session.id, session.payment_intent] }],
		[{ objectIds: [session.payment_intent] }],
		[{ objectIds: [session.payment_intent] }],
		[],
		[],
	]);
});

test('what has changed is listed from the events since a time, on all pages', async (t) => {
	const { stripe, provider, session } = await begin(t);
	const beginMs = stripe.nowMs();
	await stripe.pay(session);
	const later = await paid(stripe, provider, 'payment-2');
	stripe.nowMs = () => beginMs + 60_000;
	const dispute = await stripe.dispute(session, 100);
	for (let count = 0; count < 150; count++) await stripe.refund(later, 1);
	const changed = await changedSince(provider, beginMs + 30_000);
	assert.equal(changed.length, 151);
	assert.deepEqual(
		new Set(changed.flatMap(({ objectIds }) => objectIds)),
		new Set([later.payment_intent, dispute.payment_intent]),
	);
	assert.ok((await changedSince(provider, beginMs)).some(({ paymentId }) => paymentId === 'payment-2'));
});

test('after more than the time that Stripe keeps events, refunds and disputes are listed too, also older ones', async (t) => {
	const { stripe, provider, session } = await begin(t);
	const beginMs = stripe.nowMs();
	await stripe.pay(session);
	const other = await paid(stripe, provider, 'payment-2');
	await stripe.refund(session, 100);
	const dispute = await stripe.dispute(other, 100);
	// The service was away: it has seen the dispute, and not that it was won.
	await stripe.change(dispute, 'won');
	stripe.nowMs = () => beginMs + 60 * DAY_MS;
	const changed = await changedSince(provider, beginMs + DAY_MS);
	assert.deepEqual(
		new Set(changed.flatMap(({ objectIds }) => objectIds)),
		new Set([session.payment_intent, other.payment_intent]),
	);
	assert.deepEqual(await changedSince(provider, beginMs + 59 * DAY_MS), []);
});

async function paid(stripe: StripeStandIn, provider: PaymentProvider, id: string): Promise<StripeSession> {
	await provider.create({ ...PAYMENT, id }, signal);
	const session = stripe.sessionOf(id);
	await stripe.pay(session);
	return session;
}
