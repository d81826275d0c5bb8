import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BTCPAY_KEY, BTCPAY_STORE, BTCPAY_WEBHOOK_SECRET, startBtcpay } from '@bursar/testing/payment-providers/btcpay';
import {
	STRIPE_KEY,
	STRIPE_TEST_KEY,
	STRIPE_WEBHOOK_SECRET,
	startStripe,
	stripeEnvironment,
} from '@bursar/testing/payment-providers/stripe';
import { checkPayments } from '../../src/cli/doctor/payments.ts';
import { secretsIn } from '../../src/cli/doctor/run-checks.ts';
import { assertFound, CLOSED_OPS, findings, newStore } from '../support/doctor.ts';

const btcpaySettings = { store: BTCPAY_STORE, key: BTCPAY_KEY, webhookSecret: BTCPAY_WEBHOOK_SECRET };

test('each provider that is on is asked, and a key for tests is a warning', async (t) => {
	const [stripe, btcpay] = [await startStripe(t), await startBtcpay(t)];
	const payments = {
		stripe: { key: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, url: stripe.url },
		btcpay: { ...btcpaySettings, url: btcpay.url },
	};
	assert.deepEqual(await checkPayments({}), [{ state: 'skipped', text: 'No payment provider is on.' }]);
	assert.deepEqual(await checkPayments({ payments }), [
		{ state: 'ok', text: 'Stripe can be used, and its payments move real money.' },
		{ state: 'ok', text: 'BTCPay Server can be used. Its payments count as real money.' },
	]);
	stripe.isLive = false;
	const [warning] = await checkPayments({ payments: { stripe: { ...payments.stripe, key: STRIPE_TEST_KEY } } });
	assert.equal(warning?.state, 'warning');
	assert.match(warning?.text ?? '', /^Stripe can be used with a key for tests/);
});

test('the checks of an installation have that of its payment providers', async (t) => {
	const environment = { ...CLOSED_OPS, ...stripeEnvironment(await startStripe(t)) };
	const { lines, problems } = await findings(await newStore(t), environment);
	assert.deepEqual(problems, []);
	assertFound(lines, /^payments ok: Stripe can be used/);
});

test('what is wrong with a provider is a problem, and its secrets are not shown', async (t) => {
	const [stripe, btcpay] = [await startStripe(t), await startBtcpay(t)];
	const stripeSettings = { key: 'rk_live_plantedSecret', webhookSecret: 'whsec_plantedSecret', url: stripe.url };
	btcpay.forbidden.add('btcpay.store.canviewinvoices');
	const payments = { stripe: stripeSettings, btcpay: { ...btcpaySettings, url: btcpay.url } };
	const found = await checkPayments({ payments });
	assert.deepEqual(
		found.map(({ state, text }) => [state, text]),
		[
			['problem', 'Stripe cannot be used: Stripe answers 401: Invalid API Key provided: [redacted].'],
			[
				'problem',
				'BTCPay Server cannot be used: the key lacks a permission for the store: btcpay.store.canviewinvoices.',
			],
		],
	);
	btcpay.faults.isAway = true;
	const [away] = await checkPayments({ payments: { btcpay: payments.btcpay } });
	assert.match(away?.text ?? '', /^BTCPay Server cannot be used: the connection failed/);
});

test('BTCPay Server over plain http is a warning, unless it is on this machine', async (t) => {
	const { url } = await startBtcpay(t);
	const at = async (host: string) => {
		const found = await checkPayments({
			payments: { btcpay: { ...btcpaySettings, url: url.replace('127.0.0.1', host) } },
		});
		return found.filter(({ text }) => text.includes('plain http')).map(({ state }) => state);
	};
	assert.deepEqual(await at('127.0.0.1'), []);
	assert.deepEqual(await at('0.0.0.0'), ['warning']);
});

test('secrets of providers in the environment are removed from all that the doctor says', () => {
	const secrets = {
		BURSAR_STRIPE_KEY: 'sk_live_secret',
		BURSAR_STRIPE_WEBHOOK_SECRET: 'whsec_secret',
		BURSAR_BTCPAY_KEY: 'btcpay-secret',
		BURSAR_BTCPAY_WEBHOOK_SECRET: 'btcpay-webhook-secret',
	};
	assert.deepEqual(secretsIn(secrets), Object.values(secrets));
});
