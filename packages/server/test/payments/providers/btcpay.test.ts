import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
	BTCPAY_KEY,
	BTCPAY_STORE,
	BTCPAY_WEBHOOK_SECRET,
	signBtcpay,
	startBtcpay,
} from '@bursar/testing/payment-providers/btcpay';
import type { PaymentReading } from '../../../src/domain/payments/reading.ts';
import { createBtcpay } from '../../../src/payments/providers/btcpay.ts';
import { changedSince, OPEN_READING } from '../../support/payment-providers.ts';

const PAYMENT = { id: 'payment-1', reseller: 'acme', amountCents: 2_505, returnUrl: 'https://bursar.example/back' };
const SETTINGS = { store: BTCPAY_STORE, key: BTCPAY_KEY, webhookSecret: BTCPAY_WEBHOOK_SECRET };
const DAY_MS = 24 * 60 * 60 * 1_000;
const { signal } = new AbortController();

async function start(t: TestContext) {
	const btcpay = await startBtcpay(t);
	return { btcpay, provider: createBtcpay({ ...SETTINGS, url: btcpay.url }) };
}

/** A payment with its invoice, and how it is read. */
async function begin(t: TestContext) {
	const { btcpay, provider } = await start(t);
	const { objectId } = await provider.create(PAYMENT, signal);
	const invoice = btcpay.invoiceOf(PAYMENT.id);
	const read = async () => (await provider.read(objectId, signal)) ?? assert.fail('the invoice is not found');
	return { btcpay, provider, invoice, objectId, read };
}

function summary({ state, settledCents, isLate }: PaymentReading) {
	return [state, settledCents, isLate];
}

test('an invoice asks for the exact amount in USD, names our payment, and returns to us', async (t) => {
	const { btcpay, invoice, objectId, read } = await begin(t);
	const [{ headers, body = '' } = assert.fail('nothing was asked')] = btcpay.requests;
	assert.deepEqual(JSON.parse(body), {
		amount: '25.05',
		currency: 'USD',
		metadata: { orderId: 'payment-1', itemDesc: 'Balance of acme' },
		checkout: { redirectURL: PAYMENT.returnUrl },
	});
	assert.equal(headers.authorization, `token ${BTCPAY_KEY}`);
	assert.equal(objectId, invoice.id);
	assert.deepEqual(await read(), {
		...OPEN_READING,
		pageUrl: invoice.checkoutLink,
		expiresAtMs: invoice.expirationTime * 1_000,
	});
});

test('an invoice that was paid is processing until it is confirmed, and then its amount is settled', async (t) => {
	const { btcpay, invoice, read } = await begin(t);
	await btcpay.pay(invoice);
	assert.deepEqual(summary(await read()), ['processing', 0, false]);
	assert.equal((await read()).pageUrl, undefined);
	await btcpay.settle(invoice);
	assert.deepEqual(summary(await read()), ['settled', 2_505, false]);
});

test('what was paid over is settled too, exactly and rounded down to a cent', async (t) => {
	for (const [btc, cents] of Object.entries({
		// 20 satoshi are a cent.
		'0.00050119': 2_505,
		'0.00050120': 2_506,
		'0.00150139': 7_506,
		'0.0005010000000000000000000001': 2_505,
	})) {
		const { btcpay, invoice, read } = await begin(t);
		await btcpay.pay(invoice, { btc });
		await btcpay.settle(invoice);
		invoice.additionalStatus = 'PaidOver';
		assert.deepEqual(summary(await read()), ['settled', cents, false], btc);
	}
});

test('the fee of the network, and payments that are not confirmed, do not count as paid over', async (t) => {
	const { btcpay, invoice, read } = await begin(t);
	await btcpay.pay(invoice, { btc: '0.00050140', fee: '0.00000020' });
	await btcpay.settle(invoice);
	assert.equal((await read()).settledCents, 2_506);
	await btcpay.pay(invoice, { btc: '1' });
	Object.assign(invoice, { status: 'Settled', additionalStatus: 'PaidOver' });
	assert.equal((await read()).settledCents, 2_506);
});

test('of an invoice that expired, what was confirmed is settled, and may be late', async (t) => {
	const { btcpay, invoice, read } = await begin(t);
	await btcpay.expire(invoice);
	assert.deepEqual(summary(await read()), ['expired', 0, false]);
	invoice.status = 'New';
	await btcpay.pay(invoice, { btc: '0.00010039' });
	assert.deepEqual(summary(await read()), ['open', 0, false]);
	await btcpay.expire(invoice);
	assert.deepEqual(summary(await read()), ['expired', 0, false]);
	await btcpay.confirmPayments(invoice);
	assert.deepEqual(summary(await read()), ['expired', 501, false]);
	await btcpay.payLate(invoice);
	assert.deepEqual(summary(await read()), ['expired', 501, true]);
	await btcpay.confirmPayments(invoice);
	// 501.95 and 2505 cents.
	assert.deepEqual(summary(await read()), ['expired', 3_006, true]);
});

test('an invalid invoice has nothing, unless the operator marks it as settled', async (t) => {
	const { btcpay, invoice, read } = await begin(t);
	await btcpay.pay(invoice);
	await btcpay.invalidate(invoice);
	assert.deepEqual(summary(await read()), ['expired', 0, false]);
	await btcpay.mark(invoice, 'Settled');
	assert.deepEqual(summary(await read()), ['settled', 2_505, false]);
	await btcpay.mark(invoice, 'Invalid');
	assert.deepEqual(summary(await read()), ['expired', 0, false]);
});

test('a reading has the currency and the payment of the invoice, not what we expect', async (t) => {
	const { invoice, read } = await begin(t);
	Object.assign(invoice, { currency: 'EUR', metadata: { orderId: 'payment-2' } });
	assert.deepEqual([(await read()).currency, (await read()).paymentId], ['eur', 'payment-2']);
	for (const metadata of [null, {}, { orderId: 7 }]) {
		Object.assign(invoice, { currency: undefined, metadata });
		assert.equal((await read()).paymentId, undefined);
		assert.notEqual((await read()).currency, 'usd');
	}
});

test('an answer of another form is never taken for a reading', async (t) => {
	const { btcpay, invoice, read } = await begin(t);
	const right = { ...invoice };
	for (const wrong of [
		...[{ amount: 25.05 }, { amount: '25,05' }, { amount: null }, { status: 'Paid' }, { status: undefined }],
		...[{ id: 'other' }, { checkoutLink: 'javascript:alert(1)' }, { checkoutLink: null }],
	]) {
		Object.assign(invoice, right, wrong);
		await assert.rejects(read, { name: 'ProviderFailedError' }, JSON.stringify(wrong));
	}
	Object.assign(invoice, right);
	await btcpay.payLate(invoice);
	await btcpay.confirmPayments(invoice);
	for (const value of ['', '1e-3', 1, null]) {
		Object.assign(btcpay.payments.get(invoice.id)?.[0] ?? assert.fail(), { value });
		await assert.rejects(read, /an amount is no decimal number/, String(value));
	}
});

test('an invoice that BTCPay Server does not have is told apart from a server that has nothing', async (t) => {
	const { btcpay, provider } = await start(t);
	assert.equal(await provider.read('none', signal), undefined);
	assert.equal(await provider.read('../../other', signal), undefined);
	btcpay.faults.refusal = 404;
	await assert.rejects(provider.read('none', signal), { name: 'ProviderFailedError' });
});

test('an invoice is found by our id after its answer was lost', async (t) => {
	const { btcpay, provider } = await start(t);
	btcpay.faults.lostCreates = 1;
	await assert.rejects(provider.create(PAYMENT, signal), { name: 'ProviderFailedError' });
	assert.equal(btcpay.requests.length, 1);
	const payment = { id: PAYMENT.id, createdAtMs: 0 };
	assert.equal(await provider.find(payment, signal), btcpay.invoiceOf(PAYMENT.id).id);
	assert.equal(await provider.find({ ...payment, id: 'payment-2' }, signal), undefined);
});

test('a refused create certainly made nothing; after any other error it may have made an invoice', async (t) => {
	const { btcpay, provider } = await start(t);
	for (const refusal of [400, 401, 403, 422, 429]) {
		btcpay.faults.refusal = refusal;
		await assert.rejects(provider.create(PAYMENT, signal), {
			name: 'ProviderRefusedError',
			message: `BTCPay Server answers ${refusal}: This is refused.`,
		});
	}
	btcpay.faults.refusal = 502;
	await assert.rejects(provider.create(PAYMENT, signal), { name: 'ProviderFailedError' });
	btcpay.faults.isAway = true;
	await assert.rejects(provider.create(PAYMENT, signal), { name: 'ProviderFailedError' });
});

test('no error has a secret, whatever BTCPay Server answers', async (t) => {
	const { btcpay } = await start(t);
	const provider = createBtcpay({ ...SETTINGS, url: btcpay.url, key: 'anotherKeyThatIsWrong' });
	for (const ask of [
		() => provider.create(PAYMENT, signal),
		() => provider.read('a', signal),
		() => provider.find({ id: 'a', createdAtMs: 0 }, signal),
		() => changedSince(provider, 0),
		() => provider.check(signal),
	]) {
		await assert.rejects(ask, (error: Error) => {
			assert.match(error.message, /BTCPay Server answers 401: The key \[redacted\] is not known/);
			assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /anotherKey/);
			return true;
		});
	}
});

test('the check names the permission that the key lacks, and asks for nothing that would be changed', async (t) => {
	const { btcpay, provider } = await start(t);
	await provider.check(signal);
	assert.ok(btcpay.requests.every(({ method }) => method === 'GET'));
	for (const permission of ['btcpay.store.canviewstoresettings', 'btcpay.store.canviewinvoices']) {
		btcpay.forbidden.add(permission);
		const message = `the key lacks a permission for the store: ${permission}`;
		await assert.rejects(provider.check(signal), { message });
		btcpay.forbidden.clear();
	}
});

test('only a hint that BTCPay Server has signed for our store is read', async (t) => {
	const { btcpay, provider, invoice } = await begin(t);
	btcpay.hintDelivery = 'kept';
	await btcpay.pay(invoice);
	const [{ body } = assert.fail('no hint')] = btcpay.hints;
	const read = (text: string, signature: string | undefined) =>
		provider.readHint(Buffer.from(text), { 'btcpay-sig': signature }, 0);
	assert.deepEqual(read(body, signBtcpay(body)), [{ paymentId: 'payment-1', objectIds: [invoice.id] }]);
	for (const [what, [text, signature]] of Object.entries<readonly [string, string | undefined]>({
		'no signature': [body, undefined],
		'an empty signature': [body, 'sha256='],
		'a signature without its name': [body, signBtcpay(body).slice(7)],
		'a short signature': [body, signBtcpay(body).slice(0, -2)],
		'another secret': [body, signBtcpay(body, 'other')],
		'another body': [`${body} `, signBtcpay(body)],
	})) {
		assert.throws(() => read(text, signature), { name: 'ForgedHintError' }, what);
	}
	for (const other of [
		body.replace(BTCPAY_STORE, 'OtherStore'),
		'{}',
		'null',
		'[]',
		'{',
		`{"storeId":"${BTCPAY_STORE}"}`,
	]) {
		assert.deepEqual(read(other, signBtcpay(other)), [], other);
	}
});

test('what may have changed is listed by the time when an invoice was made, three days back, on all pages', async (t) => {
	const { btcpay, provider, objectId, invoice } = await begin(t);
	const beginMs = btcpay.nowMs();
	btcpay.nowMs = () => beginMs + 10 * DAY_MS;
	for (let count = 0; count < 150; count++) await provider.create({ ...PAYMENT, id: `later-${count}` }, signal);
	assert.equal((await changedSince(provider, beginMs + 10 * DAY_MS)).length, 150);
	const all = await changedSince(provider, beginMs + 3 * DAY_MS);
	assert.equal(all.length, 151);
	const name = { paymentId: 'payment-1', objectIds: [objectId] };
	assert.deepEqual(all.at(-1), { ...name, state: 'open' });
	await btcpay.payLate(invoice);
	// What arrived after the end is not told by the state.
	assert.deepEqual((await changedSince(provider, beginMs + 3 * DAY_MS)).at(-1), { ...name, state: undefined });
});
