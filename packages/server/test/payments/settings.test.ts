import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { ConfigError, maskedConfig, readConfig } from '../../src/config.ts';

const STRIPE = { BURSAR_STRIPE_KEY: 'sk_live_geheim1', BURSAR_STRIPE_WEBHOOK_SECRET: 'whsec_geheim2' };
const BTCPAY = {
	BURSAR_BTCPAY_URL: 'https://pay.example/btcpay/',
	BURSAR_BTCPAY_STORE: 'Store1',
	BURSAR_BTCPAY_KEY: 'geheim3',
	BURSAR_BTCPAY_WEBHOOK_SECRET: 'geheim4',
};

function problemsOf(environment: Record<string, string>): string {
	try {
		readConfig(environment);
	} catch (error) {
		assert.ok(error instanceof ConfigError);
		return error.message;
	}
	return '';
}

test('a provider is on if all of its settings are there; by default none is', () => {
	assert.equal(readConfig({}).payments, undefined);
	assert.deepEqual(readConfig(STRIPE).payments, {
		stripe: { key: 'sk_live_geheim1', webhookSecret: 'whsec_geheim2', url: 'https://api.stripe.com' },
	});
	assert.deepEqual(readConfig(BTCPAY).payments, {
		btcpay: { url: 'https://pay.example/btcpay', store: 'Store1', key: 'geheim3', webhookSecret: 'geheim4' },
	});
	assert.deepEqual(Object.keys(readConfig({ ...STRIPE, ...BTCPAY }).payments ?? {}), ['stripe', 'btcpay']);
});

test('some settings of a provider and not all are refused, and each one that is missing is named', () => {
	for (const all of [STRIPE, BTCPAY]) {
		for (const name of Object.keys(all)) {
			const { [name]: _, ...some } = all as Record<string, string>;
			const given = Object.keys(some)[0];
			assert.match(problemsOf(some), new RegExp(`^${name}: with ${given} it is required(, or ${name}_FILE)?$`));
		}
	}
	assert.equal(
		problemsOf({ BURSAR_STRIPE_URL: 'http://127.0.0.1:12111' }),
		'BURSAR_STRIPE_KEY: with BURSAR_STRIPE_URL it is required, or BURSAR_STRIPE_KEY_FILE; BURSAR_STRIPE_WEBHOOK_SECRET: with BURSAR_STRIPE_URL it is required, or BURSAR_STRIPE_WEBHOOK_SECRET_FILE',
	);
});

test('each secret can stand in a file, and only in one of the two', (t) => {
	const folder = temporaryFolder(t);
	const all: Record<string, string> = { ...STRIPE, ...BTCPAY };
	for (const name of [...Object.keys(STRIPE), 'BURSAR_BTCPAY_KEY', 'BURSAR_BTCPAY_WEBHOOK_SECRET']) {
		const file = join(folder, name);
		writeFileSync(file, `${all[name]}\n`, { mode: 0o600 });
		const { [name]: _, ...others } = all;
		assert.deepEqual(readConfig({ ...others, [`${name}_FILE`]: file }).payments, readConfig(all).payments);
		assert.equal(
			problemsOf({ ...all, [`${name}_FILE`]: file }),
			`${name} and ${name}_FILE: only one of them may be set`,
		);
	}
});

test('wrong settings are refused, and no message shows a secret', () => {
	for (const [name, wrongs] of Object.entries({
		BURSAR_STRIPE_KEY: ['', 'pk_live_geheim', 'geheim', 'sk_live_', 'sk_live_geheim x', 'sk_live_geheim\n'],
		BURSAR_STRIPE_WEBHOOK_SECRET: ['', 'geheim', 'whsec_', 'whsec_geheim x', 'whsec_gehéim'],
		BURSAR_STRIPE_URL: [
			'',
			'api.stripe.com',
			'http://api.stripe.com',
			'https://geheim@api.stripe.com',
			'https://a.example/v1',
		],
		BURSAR_BTCPAY_URL: [
			'',
			'pay.example',
			'ftp://pay.example',
			'https://a:geheim@pay.example',
			'https://pay.example?a=geheim',
		],
		BURSAR_BTCPAY_STORE: ['', '../other', 'a b'],
		BURSAR_BTCPAY_KEY: ['', 'geheim x', 'geheim\r\nx: y'],
		BURSAR_BTCPAY_WEBHOOK_SECRET: ['', 'geheim x'],
	})) {
		for (const wrong of wrongs) {
			assert.match(
				problemsOf({ ...STRIPE, ...BTCPAY, [name]: wrong }),
				new RegExp(`^${name}: it must (?!.*geheim)`),
				wrong,
			);
		}
	}
	assert.equal(problemsOf({ ...STRIPE, BURSAR_STRIPE_URL: 'http://127.0.0.1:12111' }), '');
	assert.equal(problemsOf({ ...BTCPAY, BURSAR_BTCPAY_URL: 'http://btcpay.internal:23000' }), '');
	const masked = JSON.stringify(maskedConfig(readConfig({ ...STRIPE, ...BTCPAY })));
	assert.match(masked, /"store":"Store1"/);
	assert.doesNotMatch(masked, /geheim/);
});

test('where others reach the service, payers need an address to return to', () => {
	const outside = { ...STRIPE, BURSAR_HOST: '0.0.0.0' };
	assert.match(problemsOf(outside), /^BURSAR_PUBLIC_URL: with a payment provider it is required/);
	assert.equal(problemsOf({ ...outside, BURSAR_PUBLIC_URL: 'https://bursar.example' }), '');
	for (const BURSAR_HOST of ['127.0.0.1', '::1', 'localhost']) assert.equal(problemsOf({ ...STRIPE, BURSAR_HOST }), '');
});

test('a top-up has limits in dollars, and the smallest is not more than the largest', () => {
	assert.deepEqual(readConfig({}).topUps, { minCents: 1_000, maxCents: 500_000 });
	const limits = { BURSAR_TOP_UP_MIN_USD: '12.50', BURSAR_TOP_UP_MAX_USD: '999999.99' };
	assert.deepEqual(readConfig(limits).topUps, { minCents: 1_250, maxCents: 99_999_999 });
	for (const wrong of ['', '0.49', '1000000', '-5', '1e3', '10.005', '0x10']) {
		assert.match(problemsOf({ BURSAR_TOP_UP_MIN_USD: wrong }), /^BURSAR_TOP_UP_MIN_USD: it must be US dollars from/);
	}
	assert.equal(
		problemsOf({ BURSAR_TOP_UP_MIN_USD: '20', BURSAR_TOP_UP_MAX_USD: '19.99' }),
		'BURSAR_TOP_UP_MIN_USD: it must be at most BURSAR_TOP_UP_MAX_USD, which is 19.99',
	);
});
