import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MovementMaker, OperatorPaymentPage } from '@bursar/contract/dashboard';
import { PAYMENTS_COUNTED } from '@bursar/contract/limits';
import type { OperatorTopUp } from '@bursar/contract/payment-schemas';
import { failureTexts } from '../../src/calls/failure-texts.ts';
import { homeTexts } from '../../src/features/home/texts.ts';
import { findingTexts, paymentsTexts } from '../../src/features/payments/operator-texts.ts';
import { paymentOutcomeTexts, paymentTexts } from '../../src/features/payments/texts.ts';
import { resellerTexts } from '../../src/features/resellers/texts.ts';
import { statementTexts } from '../../src/features/statement/texts.ts';
import { pageNames } from '../../src/shell/texts.ts';
import { ACME, gone, OLGA, open, presenceOf, press, screen, serviceFor, waitFor } from '../support/dashboard.ts';

const AT = '2026-11-29T10:00:00.000Z';
const PAYMENT: OperatorTopUp = {
	...{ id: 'pay_1', username: 'acme', provider: 'stripe', is_test: false, state: 'settled', change_id: null },
	...{ amount: 5_000, settled: 4_000, refunded: 1_000, disputed: 500, credited: 2_500 },
	...{ url: null, expires_at: null, timestamp: AT, object_id: 'cs_live_1', findings: ['underpaid', 'owed'] },
	...{ read_at: AT, failed_reads: 0, next_read_at: '2026-11-30T10:00:00.000Z' },
};
const PAGE: OperatorPaymentPage = {
	providers: [{ provider: 'stripe', is_test: false }],
	...{ payments: [PAYMENT], next: null, previous: null, findings: 1 },
};

function at(t: TestContext, address: string, page: Partial<OperatorPaymentPage> = {}) {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/payments', { ...PAGE, ...page });
	service.answers('/operator/payment', PAYMENT);
	open(t, address);
	return service;
}

test('operators see what was asked for, arrived, went back and is booked, and in plain words what does not fit', async (t) => {
	at(t, '/payments');
	await screen.findByText(paymentOutcomeTexts.credited_in_part);
	await screen.findByText(findingTexts.underpaid.name);
	await screen.findByText(findingTexts.owed.name);
	const back = [paymentTexts.refundedOf('$10.00'), paymentTexts.disputedOf('$5.00')];
	for (const amount of ['$50.00', '$40.00', ...back, '$25.00']) await screen.findByText(amount);
	for (const path of ['/payments/pay_1', '/resellers/acme'])
		assert.ok(document.querySelector(`a[href="/dashboard${path}"]`), path);
	assert.ok(screen.getByRole('link', { name: pageNames.payments, current: 'page' }));
});

test('the filters stand in the address, and those that do not fit are counted', async (t) => {
	const service = at(t, '/payments?reseller=acme');
	(await screen.findByLabelText(paymentsTexts.findings(1))).click();
	await waitFor(() =>
		assert.deepEqual(service.calls('/operator/payments').at(-1), { reseller: 'acme', only: 'findings' }),
	);
	assert.equal(window.location.search, '?reseller=acme&only=findings');
	(await screen.findByLabelText(paymentsTexts.waiting)).click();
	await waitFor(() => assert.equal(service.calls('/operator/payments').at(-1)?.only, 'waiting'));
});

test('a reseller that does not exist is said, and so are filters that match nothing', async (t) => {
	const service = at(t, '/payments?reseller=nobody&only=findings', { payments: [], findings: PAYMENTS_COUNTED });
	await screen.findByText(paymentsTexts.nothingFound);
	await screen.findByText(paymentsTexts.manyFindings);
	service.always('/operator/payments', 'unknown_reseller', 404);
	window.dispatchEvent(new Event('visibilitychange'));
	(await screen.findByLabelText(paymentsTexts.all)).click();
	await screen.findByText(failureTexts.unknown_reseller.happened);
});

test('without a provider the page says how one is set up; one that is a test says so', async (t) => {
	const service = at(t, '/payments', { providers: [], payments: [], findings: 0 });
	await screen.findByText(paymentsTexts.off);
	assert.ok(!screen.queryByLabelText(paymentsTexts.waiting), 'there is nothing to choose from');
	service.answers('/operator/payments', { ...PAGE, providers: [{ provider: 'btcpay', is_test: true }] });
	window.dispatchEvent(new Event('visibilitychange'));
	await screen.findByText(paymentTexts.tests('BTCPay Server'));
});

test('a payment whose reads fail says so, with when it is tried again', async (t) => {
	const next_read_at = new Date(Date.now() + 5 * 60_000).toISOString();
	const failing = { ...PAYMENT, findings: [], read_at: null, failed_reads: 5, next_read_at };
	at(t, '/payments', { payments: [failing] });
	await screen.findByText(paymentsTexts.failedReads(5));
	await screen.findByText(paymentsTexts.next('in 5 minutes'));
});

test('a payment is read again on demand, and the page shows what was found', async (t) => {
	const service = at(t, '/payments/pay_1');
	await screen.findByRole('heading', { level: 1, name: paymentsTexts.title('acme') });
	await screen.findByText('cs_live_1', { exact: false });
	await screen.findByText(`${findingTexts.owed.means} ${findingTexts.owed.todo}`);
	service.answers('/operator/payments/read', { ...PAYMENT, next_read_at: AT });
	await press(paymentsTexts.readAgain);
	await screen.findByText(paymentsTexts.reading);
	const [{ act, ...body } = assert.fail()] = service.calls('/operator/payments/read');
	assert.match(String(act), /^[0-9a-f-]{36}$/);
	assert.deepEqual(body, { id: 'pay_1' });
	const found = { ...PAYMENT, settled: 5_000, credited: 3_500, findings: [], read_at: '2026-11-29T11:00:00.000Z' };
	service.answers('/operator/payment', found);
	window.dispatchEvent(new Event('visibilitychange'));
	await screen.findByText(paymentsTexts.ends.read);
	await screen.findByText('$35.00');
	await gone(`${findingTexts.owed.means} ${findingTexts.owed.todo}`);
});

test('a read that fails, and one that is refused, are said', async (t) => {
	const service = at(t, '/payments/pay_1');
	service.refuses('/operator/payments/read', 'unavailable', 503);
	await press(paymentsTexts.readAgain);
	await screen.findByText(failureTexts.unavailable.happened);
	service.answers('/operator/payments/read', PAYMENT);
	await press(paymentsTexts.readAgain);
	await screen.findByText(paymentsTexts.reading);
	service.answers('/operator/payment', { ...PAYMENT, failed_reads: 1 });
	window.dispatchEvent(new Event('visibilitychange'));
	await screen.findByText(paymentsTexts.ends.failed);
});

test('the start page says how many payments do not fit or cannot be read', async (t) => {
	const service = serviceFor(t, OLGA);
	service.always('/operator/money', 'unavailable', 503);
	service.answers('/operator/health', {
		store_made: AT,
		...{ edges: { count: 0, silent_count: 0, silent: [] }, reports: [], ledger: { is_running: false, last: null } },
		...{ backup: { is_ours: false }, payments: { findings: 2, failing: 1 } },
	});
	open(t, '/');
	await screen.findByText(`${homeTexts.misfits(2)} ${homeTexts.unread(1)}`);
	assert.ok(document.querySelector('a[href="/dashboard/payments?only=findings"]'));
});

test('the page of a reseller leads to its payments, and its statement says which provider brought or took money', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/session', { ...presenceOf(OLGA), takes_payments: true });
	service.answers('/operator/reseller', ACME);
	const by: MovementMaker = { kind: 'provider', provider: 'stripe' };
	const movement = { at: AT, username: null, of: 'acme', usage: [], by, reason: '', note: '', payment: 'pay_1' };
	service.answers('/operator/statement', {
		...{ today: null, next_before: null, searched_to: null },
		movements: [
			{ ...movement, number: 3, kind: 'refund_debt', amount: -700, balance: null, reference: 'stripe:cs_1:2' },
			{ ...movement, number: 2, kind: 'adjustment', amount: -300, balance: 0, reference: 'stripe:cs_1:2' },
			{ ...movement, number: 1, kind: 'top_up', amount: 1_000, balance: 1_000, reference: 'stripe:cs_1:1' },
		],
	});
	open(t, '/resellers/acme');
	const link = await screen.findByRole('link', { name: resellerTexts.showPayments });
	assert.equal(link.getAttribute('href'), '/dashboard/payments?reseller=acme');
	await screen.findByText('Stripe');
	assert.equal((await screen.findAllByText(statementTexts.takenBackBy('Stripe'))).length, 2);
	assert.equal(document.querySelectorAll('a[href="/dashboard/payments/pay_1"]').length, 3);
	const owed = statementTexts.elsewhere.owed('$7.00', 'acme');
	assert.ok(document.body.textContent?.includes(owed), 'what is owed changed no balance');
});
