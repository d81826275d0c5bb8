import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BTCPAY_KEY, BTCPAY_STORE, BTCPAY_WEBHOOK_SECRET, startBtcpay } from '@bursar/testing/payment-providers/btcpay';
import { STRIPE_TEST_KEY, STRIPE_WEBHOOK_SECRET, startStripe } from '@bursar/testing/payment-providers/stripe';
import type { Page } from 'playwright-core';
import { homeTexts } from '../../../../dashboard/src/features/home/texts.ts';
import { findingTexts, paymentsTexts } from '../../../../dashboard/src/features/payments/operator-texts.ts';
import { paymentTexts, topUpsTexts, topUpTexts } from '../../../../dashboard/src/features/payments/texts.ts';
import { statementTexts } from '../../../../dashboard/src/features/statement/texts.ts';
import { assertSilent, startDashboard } from '../../support/dashboard-in-browser.ts';
import { button, field } from '../../support/dashboard-steps.ts';
import { createLooks } from '../../support/page-looks.ts';

async function startWithProviders(t: TestContext) {
	const [stripe, btcpay] = await Promise.all([startStripe(t), startBtcpay(t)]);
	stripe.isLive = false;
	const dashboard = await startDashboard(t, {
		environment: {
			BURSAR_STRIPE_KEY: STRIPE_TEST_KEY,
			BURSAR_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
			BURSAR_STRIPE_URL: stripe.url,
			BURSAR_BTCPAY_URL: btcpay.url,
			BURSAR_BTCPAY_STORE: BTCPAY_STORE,
			BURSAR_BTCPAY_KEY: BTCPAY_KEY,
			BURSAR_BTCPAY_WEBHOOK_SECRET: BTCPAY_WEBHOOK_SECRET,
		},
	});
	stripe.hintsUrl = `${dashboard.service.url}/payments/hints/stripe`;
	btcpay.hintsUrl = `${dashboard.service.url}/payments/hints/btcpay`;
	return { stripe, btcpay, dashboard };
}

/** The pages of both providers. The browser of the test reaches no others. */
function standInPages(page: Page) {
	return page.route(/^https:\/\/[a-z.]+\.example\//, (route) =>
		route.fulfill({
			contentType: 'text/html',
			body: '<!doctype html><html lang="en"><title>Pay</title><h1>Pay here</h1>',
		}),
	);
}

test('a payment leads to the provider and back, and the page tells of the money only once it is booked', async (t) => {
	const { stripe, btcpay, dashboard } = await startWithProviders(t);
	await dashboard.service.openReseller('acme', 5_000);
	const looks = createLooks();
	const { page, open, trail } = await dashboard.signedIn('ann@acme.example', 'acme');
	await standInPages(page);
	await open('/top-ups');
	await page.getByText(topUpsTexts.none).waitFor();
	await field(page, topUpsTexts.amountField).fill('50');
	await page.getByText(paymentTexts.tests('Stripe')).waitFor();
	await looks.at(page, 'top-ups-form');
	await field(page, topUpsTexts.amountField).press('Enter');
	await page.waitForURL('https://checkout.stripe.example/**');

	const [stripePayment = assert.fail()] = stripe.requests.flatMap(({ body }) => /pay_[0-9A-Za-z]{22}/.exec(body) ?? []);
	await open(`/top-ups/${stripePayment}?success=true`);
	await page.getByText(topUpTexts.waits.open('Stripe')).waitFor();
	await looks.at(page, 'top-up-waits');
	await stripe.pay(stripe.sessionOf(stripePayment));
	await page.getByText(topUpTexts.credited('$50.00')).waitFor();
	await page.getByText(topUpTexts.balance('$100.00')).waitFor();
	await looks.at(page, 'top-up-credited');
	await page.getByRole('link', { name: topUpTexts.statement }).click();
	await page.getByRole('link', { name: statementTexts.toPayment }).waitFor();
	await looks.at(page, 'statement-with-payment');

	await open('/top-ups');
	await field(page, topUpsTexts.amountField).fill('1234.56');
	await page.getByRole('radio', { name: 'BTCPay Server' }).check();
	await button(page, topUpsTexts.beginAmount('$1,234.56', 'BTCPay Server')).click();
	await page.waitForURL('https://btcpay.example/**');
	const [invoice = assert.fail()] = [...btcpay.invoices.values()];
	await btcpay.pay(invoice);
	await open(`/top-ups/${invoice.metadata.orderId}`);
	await page.getByText(topUpTexts.waits.processing.btcpay).waitFor();
	await looks.at(page, 'top-up-processing');
	await open('/top-ups');
	await page.getByText(topUpsTexts.waitingLead).waitFor();
	await looks.at(page, 'top-ups');
	assertSilent(trail);
	looks.assertRight();
});

test('an operator sees what does not fit, has a payment read again, and learns of a provider that is away', async (t) => {
	const { stripe, dashboard } = await startWithProviders(t);
	await dashboard.service.openReseller('acme', 5_000);
	const owner = await dashboard.signedIn('ann@acme.example', 'acme');
	const begin = async (amount: number) => {
		const answer = await owner.change('/top-ups/create', { act: crypto.randomUUID(), provider: 'stripe', amount });
		return stripe.sessionOf((await answer.json()).data.id);
	};
	const looks = createLooks();
	const { page, open, trail } = await dashboard.operator('op@bursar.example');
	const [short, away] = [await begin(5_000), await begin(250_000)];
	await stripe.pay(short, { cents: 4_000 });
	await open('/payments');
	await page.getByText(findingTexts.underpaid.name).waitFor();
	await looks.at(page, 'payments');
	await page.getByText(paymentsTexts.findings(1)).click();
	await page.getByRole('row').filter({ hasText: '$50.00' }).getByRole('link').first().click();
	await page.getByText(paymentsTexts.amountsLead).waitFor();
	// Its hint is lost.
	stripe.hintDelivery = 'lost';
	await stripe.refund(short, 1_500);
	await button(page, paymentsTexts.readAgain).click();
	await page.getByText(paymentsTexts.ends.read).waitFor();
	await page.getByText('$25.00', { exact: true }).waitFor();
	await looks.at(page, 'payment');

	stripe.faults.isAway = true;
	await open(`/payments/${away.metadata.payment ?? away.client_reference_id}`);
	await button(page, paymentsTexts.readAgain).click();
	await page.getByText(paymentsTexts.ends.failed).waitFor();
	await looks.at(page, 'payment-away');
	await open('/');
	await page.getByText(homeTexts.misfits(1)).waitFor();
	await looks.at(page, 'home-with-payments');
	await open('/resellers/acme');
	await page.getByText(statementTexts.takenBackBy('Stripe')).waitFor();
	await looks.at(page, 'reseller-with-payments');
	assertSilent(trail);
	looks.assertRight();
});
