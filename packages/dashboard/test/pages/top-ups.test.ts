import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PresentPerson, TopUpPage } from '@bursar/contract/dashboard';
import type { TopUp } from '@bursar/contract/payment-schemas';
import { actTexts } from '../../src/acts/texts.ts';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { overviewTexts } from '../../src/features/overview/texts.ts';
import { paymentOutcomeTexts, paymentTexts, topUpsTexts, topUpTexts } from '../../src/features/payments/texts.ts';
import { moneyText } from '../../src/format/money.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { pageNames } from '../../src/shell/texts.ts';
import {
	ANN,
	button,
	OVERVIEW,
	open,
	presenceOf,
	press,
	screen,
	serviceFor,
	type,
	waitFor,
} from '../support/dashboard.ts';

const URL_OF_PROVIDER = 'https://checkout.stripe.example/c/pay/cs_1';
const PAYMENT: TopUp = {
	...{ id: 'pay_1', provider: 'stripe', state: 'open', amount: 5_000, credited: 0, refunded: 0, disputed: 0 },
	...{ url: URL_OF_PROVIDER, expires_at: '2026-11-30T10:00:00.000Z', timestamp: '2026-11-29T10:00:00.000Z' },
	change_id: null,
};
const PAGE: TopUpPage = {
	providers: [{ provider: 'stripe', is_test: false }],
	...{ min: 1_000, max: 500_000, waiting: [], past: [], next: null, previous: null },
};
const VIEWER: PresentPerson = { ...ANN, role: 'viewer' };
const BEGIN = topUpsTexts.beginAmount(moneyText(5_000), 'Stripe');

/** A page of a service that takes payments. The addresses that the browser was sent to are collected. */
function at(
	t: TestContext,
	address: string,
	{
		page = {},
		payment = PAYMENT,
		person = ANN,
	}: {
		readonly page?: Partial<TopUpPage>;
		readonly payment?: TopUp;
		readonly person?: PresentPerson;
	} = {},
) {
	const service = serviceFor(t, person);
	service.answers('/session', { ...presenceOf(person), takes_payments: true });
	service.answers('/top-ups', { ...PAGE, ...page });
	service.answers('/top-ups/view', payment);
	service.answers('/top-ups/create', payment);
	const gone: string[] = [];
	t.mock.method(window.location, 'assign', (url: string) => void gone.push(url));
	open(t, address);
	return { service, gone };
}

/** As if the person came back to the tab: the page looks at once. */
function comeBack() {
	window.dispatchEvent(new Event('visibilitychange'));
}

test('an amount within the bounds leads to the page of the provider by itself', async (t) => {
	const { service, gone } = at(t, '/top-ups');
	await screen.findByText(topUpsTexts.bounds(moneyText(1_000), moneyText(500_000)));
	assert.ok(!screen.queryByText(topUpsTexts.providerField), 'one provider is no choice');
	await type(topUpsTexts.amountField, '50');
	await press(BEGIN);
	await waitFor(() => assert.deepEqual(gone, [URL_OF_PROVIDER]));
	const [{ act, ...body } = assert.fail()] = service.calls('/top-ups/create');
	assert.match(String(act), /^[0-9a-f-]{36}$/);
	assert.deepEqual(body, { provider: 'stripe', amount: 5_000 });
	// For who comes back with the back button.
	await button(topUpsTexts.another);
});

test('a browser is never sent to an address that is no page of the web', async (t) => {
	const payment = { ...PAYMENT, url: 'javascript:alert(document.domain)' };
	const { gone } = at(t, '/top-ups', { page: { waiting: [payment] }, payment });
	await screen.findByText(topUpsTexts.waitingLead);
	await type(topUpsTexts.amountField, '50');
	await press(BEGIN);
	await screen.findByText(topUpTexts.waits.open('Stripe'));
	assert.equal(window.location.pathname, '/dashboard/top-ups/pay_1');
	assert.deepEqual(gone, []);
	assert.equal(document.querySelector('a[href^="javascript"]'), null);
});

test('a payment whose page is not there yet is shown, and waits', async (t) => {
	const { gone } = at(t, '/top-ups', { payment: { ...PAYMENT, state: 'creating', url: null, expires_at: null } });
	await type(topUpsTexts.amountField, '50');
	await press(BEGIN);
	await screen.findByText(topUpTexts.waits.creating('Stripe'));
	await screen.findByText(topUpTexts.looks);
	assert.deepEqual(gone, []);
});

test('an amount that is too small, too large or none cannot be sent', async (t) => {
	const { service } = at(t, '/top-ups');
	const begin = await button(topUpsTexts.begin('Stripe'));
	assert.ok(begin.hasAttribute('disabled'));
	const { unreadable, too_small, too_large } = topUpsTexts.problems;
	for (const [text, said] of [
		['5000.01', too_large(moneyText(500_000))],
		['10,50', unreadable],
	] as const) {
		await type(topUpsTexts.amountField, text);
		await screen.findByText(said);
	}
	await type(topUpsTexts.amountField, '9.99');
	const { fireEvent } = await import('../support/dashboard.ts');
	const field = await screen.findByLabelText(topUpsTexts.amountField);
	fireEvent.blur(field);
	await screen.findByText(too_small(moneyText(1_000)));
	await type(topUpsTexts.amountField, '9');
	await waitFor(() => assert.ok(!screen.queryByText(too_small(moneyText(1_000)))));
	fireEvent.keyDown(field, { key: 'Enter' });
	await screen.findByText(too_small(moneyText(1_000)));
	assert.ok(begin.hasAttribute('disabled'));
	assert.deepEqual(service.calls('/top-ups/create'), []);
});

test('with two providers one is chosen, and one that is a test says so', async (t) => {
	const providers = [
		{ provider: 'stripe', is_test: false },
		{ provider: 'btcpay', is_test: true },
	] as const;
	const { service, gone } = at(t, '/top-ups', { page: { providers } });
	await type(topUpsTexts.amountField, '50');
	assert.ok(!screen.queryByText(paymentTexts.tests('BTCPay Server')));
	(await screen.findByLabelText('BTCPay Server')).click();
	await screen.findByText(paymentTexts.tests('BTCPay Server'));
	await press(topUpsTexts.beginAmount(moneyText(5_000), 'BTCPay Server'));
	await waitFor(() => assert.equal(gone.length, 1));
	assert.equal(service.calls('/top-ups/create')[0]?.provider, 'btcpay');
});

test('what the service refuses is said, and a lost answer begins no second payment', async (t) => {
	const { service, gone } = at(t, '/top-ups');
	await type(topUpsTexts.amountField, '50');
	service.refuses('/top-ups/create', 'too_many_payments');
	await press(BEGIN);
	await screen.findByText(failureTexts.too_many_payments.happened);
	service.loses('/top-ups/create');
	await press(BEGIN);
	await screen.findByText(topUpsTexts.lost);
	service.refuses('/top-ups/create', 'act_repeated');
	service.answers('/top-ups', { ...PAGE, waiting: [PAYMENT] });
	await press(pageTexts.retry);
	await screen.findByText(topUpsTexts.repeated);
	await screen.findByRole('link', { name: paymentTexts.continueOne('Stripe', moneyText(5_000)) });
	assert.equal(new Set(service.calls('/top-ups/create').map(({ act }) => act)).size, 1);
	assert.deepEqual(gone, []);
	await press(actTexts.close);
	await press(topUpsTexts.another);
	await screen.findByLabelText(topUpsTexts.amountField);
});

test('a suspended reseller learns why it can begin no payment', async (t) => {
	const { service } = at(t, '/top-ups');
	service.answers('/suspension', { since: '2026-11-29T09:00:00.000Z' });
	comeBack();
	await screen.findByText(actTexts.resellerSuspended);
	assert.ok((await screen.findByLabelText(topUpsTexts.amountField)).hasAttribute('disabled'));
	assert.ok((await button(topUpsTexts.begin('Stripe'))).hasAttribute('disabled'));
});

test('a viewer sees payments, and can neither begin nor continue one', async (t) => {
	const waiting = [{ ...PAYMENT, url: null }];
	const past = [{ ...PAYMENT, id: 'pay_0', state: 'settled', credited: 4_000, refunded: 1_000 } as const];
	at(t, '/top-ups', { person: VIEWER, page: { waiting, past } });
	await screen.findByText(topUpsTexts.onlyWho);
	await screen.findByText(paymentOutcomeTexts.open);
	await screen.findByText(paymentOutcomeTexts.credited_in_part);
	assert.ok(!screen.queryByLabelText(topUpsTexts.amountField));
	assert.equal(document.querySelector('a[href^="https"]'), null);
	assert.ok(document.querySelector('a[href$="/top-ups/pay_0"]'));
});

test('who comes back from the provider is told nothing of money before it is booked', async (t) => {
	const { service } = at(t, '/top-ups/pay_1?success=true&status=paid');
	await screen.findByText(topUpTexts.waits.open('Stripe'));
	await screen.findByText(topUpTexts.looks);
	await screen.findByRole('link', { name: paymentTexts.continue('Stripe') });
	assert.ok(!screen.queryByText(paymentOutcomeTexts.credited, { selector: 'span' }));

	service.answers('/top-ups/view', { ...PAYMENT, state: 'processing', url: null });
	comeBack();
	await screen.findByText(topUpTexts.waits.processing.stripe);
	// The provider has the money, and it is not booked.
	service.answers('/top-ups/view', { ...PAYMENT, state: 'settled', url: null });
	comeBack();
	await screen.findByText(topUpTexts.notCredited);
	assert.ok(!screen.queryByText(topUpTexts.credited(moneyText(5_000))));
});

test('once it is booked, the page says so with the balance that was read after it', async (t) => {
	const { service } = at(t, '/top-ups/pay_1', { payment: { ...PAYMENT, provider: 'btcpay', state: 'processing' } });
	await screen.findByText(topUpTexts.waits.processing.btcpay);
	service.answers('/overview', { ...OVERVIEW, balance: 6_234 });
	service.answers('/top-ups/view', { ...PAYMENT, state: 'settled', credited: 5_000, url: null });
	comeBack();
	await screen.findByText(topUpTexts.credited(moneyText(5_000)));
	await screen.findByText(topUpTexts.balance(moneyText(6_234)));
	await screen.findByRole('link', { name: topUpTexts.statement });
	assert.ok(!screen.queryByText(topUpTexts.looks));
});

test('how a payment ended is said in a sentence', async (t) => {
	const { service } = at(t, '/top-ups/pay_1');
	for (const [changes, said] of [
		[{ state: 'expired' }, topUpTexts.notPaid.stripe],
		[{ state: 'expired', provider: 'btcpay' }, topUpTexts.notPaid.btcpay],
		[{ state: 'not_made' }, topUpTexts.notMade('Stripe')],
		[{ state: 'settled', disputed: 5_000 }, topUpTexts.takenBack],
		[{ state: 'settled', credited: 3_000, refunded: 2_000 }, topUpTexts.wentBack(moneyText(2_000))],
		[{ state: 'expired', credited: 1_234 }, topUpTexts.creditedInPart(moneyText(5_000), moneyText(1_234))],
	] as const) {
		service.answers('/top-ups/view', { ...PAYMENT, url: null, ...changes });
		await screen.findByRole('heading', { level: 1, name: topUpTexts.title(moneyText(5_000)) });
		comeBack();
		await screen.findByText(said);
	}
});

test('a payment that does not exist, or is of another reseller, is said to be none', async (t) => {
	const { service } = at(t, '/top-ups/pay_2');
	service.always('/top-ups/view', 'unknown_payment', 404);
	comeBack();
	await screen.findByText(failureTexts.unknown_payment.happened);
});

test('pages lead to the payments only if the service takes some', async (t) => {
	const { service } = at(t, '/');
	service.answers('/overview', { ...OVERVIEW, balance: 5, low_balance: 100 });
	comeBack();
	await screen.findByRole('link', { name: pageNames.topUps });
	await waitFor(() => assert.equal(screen.queryAllByRole('link', { name: overviewTexts.topUp }).length, 2));
	assert.ok(!screen.queryByText(overviewTexts.low));
	service.answers('/session', presenceOf(ANN));
	const { cleanup } = await import('../support/dashboard.ts');
	cleanup();
	open(t, '/');
	await screen.findByText(overviewTexts.low);
	assert.ok(!screen.queryByRole('link', { name: pageNames.topUps }));
	assert.ok(!screen.queryByRole('link', { name: overviewTexts.topUp }));
});
