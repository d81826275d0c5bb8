import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { btcpayEnvironment, startBtcpay } from '@bursar/testing/payment-providers/btcpay';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import {
	Bursar,
	InvalidRequestError,
	type NewTopUp,
	NotPermittedError,
	newChangeId,
	OutcomeUnknownError,
	ProviderOffError,
	SuspendedError,
	TooManyPaymentsError,
} from '../src/index.ts';
import { serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';

const FIFTY: NewTopUp = { provider: 'stripe', amountCents: 5_000 };

async function serveWithStripe(t: TestContext) {
	const stripe = await startStripe(t);
	return { stripe, ...(await serveReseller(t, 0, stripeEnvironment(stripe))) };
}

describe('top-ups', { concurrency: 3 }, () => {
	test('a payment is begun, and is in the balance once it is paid', async (t) => {
		const { service, stripe, reliable } = await serveWithStripe(t);
		stripe.hintsUrl = `${service.url}/payments/hints/stripe`;
		const changeId = newChangeId();
		const { topUp, confirmedBy } = await reliable.topUps.create(FIFTY, { changeId });
		assert.equal(confirmedBy, 'answer');
		const { id, url, expiresAt, dateCreated, ...rest } = topUp;
		assert.deepEqual(rest, {
			...{ provider: 'stripe', state: 'open', amountCents: 5_000, creditedCents: 0, refundedCents: 0 },
			...{ disputedCents: 0, changeId },
		});
		assert.ok(url !== undefined && expiresAt !== undefined && expiresAt > dateCreated);
		assert.deepEqual(await reliable.topUps.retrieve(id), topUp);
		assert.equal((await reliable.account.retrieve()).balanceCents, 0);

		await stripe.pay(stripe.sessionOf(id));
		await eventually(async () => {
			const { state, creditedCents, url: none } = (await reliable.topUps.retrieve(id)) ?? {};
			assert.deepEqual([state, creditedCents, none], ['settled', 5_000, undefined]);
		});
		assert.equal((await reliable.account.retrieve()).balanceCents, 5_000);
		const { items } = await reliable.events.list({ types: ['reseller.credited'] }).page();
		assert.deepEqual(
			items.map(({ data }) => data),
			[{ amountCents: 5_000, balanceCents: 5_000, reference: `stripe:${stripe.sessionOf(id).id}:1`, payment: id }],
		);
	});

	test('a lost answer begins one payment, which is found by the id of its change', async (t) => {
		const { stripe, reliable, unreliable } = await serveWithStripe(t);
		for (const fates of [['answer_lost'], ['never_arrives', 'answer_lost'], ['arrives_late', 'answer_lost']] as const) {
			const { client } = unreliable({ create: fates });
			const { topUp, confirmedBy } = await client.topUps.create(FIFTY);
			assert.deepEqual([topUp.amountCents, confirmedBy], [5_000, 'look'], fates.join());
			assert.deepEqual(await reliable.topUps.retrieve(topUp.id), topUp);
		}
		assert.equal(stripe.sessions.size, 3);
	});

	test('the same payment with the same id is begun once, and another one with it is refused', async (t) => {
		const { stripe, reliable } = await serveWithStripe(t);
		const options = { changeId: newChangeId() };
		const { topUp } = await reliable.topUps.create(FIFTY, options);
		// Newer ones stand before it.
		for (let count = 0; count < 3; count++) await reliable.topUps.create(FIFTY);
		assert.deepEqual((await reliable.topUps.create(FIFTY, options)).topUp, topUp);
		for (const other of [
			{ ...FIFTY, amountCents: 5_001 },
			{ ...FIFTY, amountCents: 1 },
		]) {
			await rejectsWith(reliable.topUps.create(other, options), InvalidRequestError, ({ code }) =>
				assert.equal(code, 'change_repeated'),
			);
		}
		const ofGift = { changeId: newChangeId() };
		await reliable.webhooks.create({ url: 'https://shop.example.com/events' }, ofGift);
		await rejectsWith(reliable.topUps.create(FIFTY, ofGift), InvalidRequestError, ({ code }) =>
			assert.equal(code, 'change_repeated'),
		);
		assert.equal(stripe.sessions.size, 4);
	});

	test('the same id with another provider is refused', async (t) => {
		const [stripe, btcpay] = [await startStripe(t), await startBtcpay(t)];
		const environment = { ...stripeEnvironment(stripe), ...btcpayEnvironment(btcpay) };
		const { reliable } = await serveReseller(t, 0, environment);
		const options = { changeId: newChangeId() };
		await reliable.topUps.create(FIFTY, options);
		const other = reliable.topUps.create({ ...FIFTY, provider: 'btcpay' }, options);
		await rejectsWith(other, InvalidRequestError, ({ code }) => assert.equal(code, 'change_repeated'));
		assert.equal((await reliable.topUps.list().page()).items.length, 1);
	});

	test('a provider that is away is no failure: the payment gets its page later', async (t) => {
		const { stripe, reliable } = await serveWithStripe(t);
		stripe.faults.isAway = true;
		const { topUp } = await reliable.topUps.create(FIFTY);
		assert.deepEqual([topUp.state, topUp.url], ['creating', undefined]);
		assert.deepEqual(await reliable.topUps.retrieve(topUp.id), topUp);
	});

	test('each refusal has its class, and begins nothing', async (t) => {
		const { service, stripe, token, reliable } = await serveWithStripe(t);
		const { topUps } = reliable;
		const withCode = (topUp: object, code: string) =>
			rejectsWith(topUps.create(topUp as NewTopUp), InvalidRequestError, (error) => assert.equal(error.code, code));
		await withCode({ ...FIFTY, amountCents: 999 }, 'amount_out_of_bounds');
		await withCode({ ...FIFTY, amountCents: 500_001 }, 'amount_out_of_bounds');
		for (const amountCents of [0, -1, 0.5, Number.NaN, '5000', 2 ** 53, undefined]) {
			await withCode({ ...FIFTY, amountCents }, 'invalid_amount');
		}
		await withCode({ ...FIFTY, provider: 'paypal' }, 'invalid_request');
		await assert.rejects(topUps.create({ ...FIFTY, provider: 'btcpay' }), ProviderOffError);
		for (const wrong of [null, 'stripe', { ...FIFTY, amount: 5 }, { amountCents: 5_000 }]) {
			await assert.rejects(topUps.create(wrong as never), TypeError);
		}
		const expiresAt = new Date(Date.now() + 86_400_000);
		const reader = await reliable.tokens.create({ name: 'reader', scopes: ['read'], expiresAt });
		const reading = new Bursar({ baseUrl: service.url, token: reader.token as string });
		await assert.rejects(reading.topUps.create(FIFTY), NotPermittedError);
		await assert.rejects(reading.topUps.list().page(), NotPermittedError);
		assert.equal(stripe.sessions.size, 0);

		for (let count = 0; count < 20; count++) await topUps.create(FIFTY);
		await assert.rejects(topUps.create(FIFTY), TooManyPaymentsError);
		await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
		await assert.rejects(new Bursar({ baseUrl: service.url, token }).topUps.create(FIFTY), SuspendedError);
	});

	test('a create whose outcome stays unknown says what is known of it', async (t) => {
		const { unreliable } = await serveWithStripe(t);
		const view = Array<'never_arrives'>(20).fill('never_arrives');
		const { client } = unreliable({ create: ['answer_lost'], view }, { totalTimeoutMs: 1_500 });
		await rejectsWith(client.topUps.create(FIFTY), OutcomeUnknownError, ({ known, fee }) => {
			assert.deepEqual([known.operation, known.username, known.amountCents], ['create_top_up', undefined, 5_000]);
			assert.equal(fee, undefined);
		});
	});

	test('payments are listed the newest first, all or those that wait, and those of others are not there', async (t) => {
		const { service, stripe, reliable } = await serveWithStripe(t);
		const other = new Bursar({ baseUrl: service.url, token: (await service.openReseller('other', 0)).token });
		const ids: string[] = [];
		stripe.faults.refusal = 400;
		ids.unshift((await reliable.topUps.create(FIFTY)).topUp.id);
		stripe.faults.refusal = undefined;
		ids.unshift((await reliable.topUps.create(FIFTY)).topUp.id);
		const listed = await Array.fromAsync(reliable.topUps.list({ pageRows: 1 }));
		assert.deepEqual(
			listed.map(({ id }) => id),
			ids,
		);
		const { items } = await reliable.topUps.list({ only: 'waiting' }).page();
		assert.deepEqual(
			items.map(({ id }) => id),
			[ids[0]],
		);
		assert.deepEqual((await other.topUps.list().page()).items, []);
		assert.equal(await other.topUps.retrieve(ids[0] as string), undefined);
		for (const options of [{ only: 'findings' }, { state: 'open' }, { pageRows: 0 }]) {
			assert.throws(() => reliable.topUps.list(options as never), TypeError);
		}
		await assert.rejects(reliable.topUps.retrieve(undefined as never), TypeError);
		assert.equal(await reliable.topUps.retrieve('pay_1'), undefined);
	});
});
