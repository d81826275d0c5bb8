import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '@bursar/contract/events';
import { OPERATOR_SCOPES, RESELLER_SCOPES } from '@bursar/contract/scopes';
import { BTCPAY_KEY, BTCPAY_STORE, BTCPAY_WEBHOOK_SECRET } from '@bursar/testing/payment-providers/btcpay';
import { STRIPE_TEST_KEY, STRIPE_WEBHOOK_SECRET } from '@bursar/testing/payment-providers/stripe';
import { png } from '@bursar/testing/png';
import { LANGUAGES, type Language } from '../../../../dashboard/src/preferences/language.ts';
import { outcomeOf, startDashboard, type Visitor } from '../../support/dashboard-in-browser.ts';
import { createLooks } from '../../support/page-looks.ts';
import { allRead, createFits } from '../../support/page-widths.ts';
import {
	LONG_NAME,
	LONG_RESELLER,
	MISFIT_PAYMENT,
	openWideReseller,
	WAITING_PAYMENT,
	wideBusiness,
} from '../../support/wide-business.ts';

const RESELLER = 'mediterranean.proxies_and_vpn.co';
const OWNER = 'maximiliane.hohenstein-wiesenthal@long-customer-name.example';
const LONG_URL = `https://receiver.webhooks.long-customer-name.example:8443/in/bursar?key=${'k3y'.repeat(40)}`;
const LONG_TOKEN = {
	name: 'accounting-of-all-brands daily.reports',
	expires_at: new Date(Date.now() + 86_400_000).toISOString(),
};
const LONG_NETWORKS = ['2001:db8:1234:5678:9abc:def0:1234:5678', '203.0.113.128/25'];
const OPERATOR = 'bartholomaeus.lichtenberg-sonnenfeld@bursar-operations.example';

/** Both payment providers. Neither can be reached. */
const NO_PROVIDER = 'http://127.0.0.1:9';
const PROVIDERS = {
	...{ BURSAR_STRIPE_KEY: STRIPE_TEST_KEY, BURSAR_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET },
	...{ BURSAR_STRIPE_URL: NO_PROVIDER, BURSAR_BTCPAY_URL: NO_PROVIDER, BURSAR_BTCPAY_STORE: BTCPAY_STORE },
	...{ BURSAR_BTCPAY_KEY: BTCPAY_KEY, BURSAR_BTCPAY_WEBHOOK_SECRET: BTCPAY_WEBHOOK_SECRET },
};

/** A long name, a wide logo, and a colour in which no text could be read. */
const WIDE_BRAND = {
	...{ name: 'Mediterranean Residential Proxies & VPNs', color: '#ffffe0', logo: png(1024, 16).toString('base64') },
	legal_name: 'Mediterranean Residential Proxies and Virtual Private Networks International Ltd',
	...{
		address: ['c/o Mediterranean Residential Proxies, 1234 Boulevard of the Fishermen, Floor 17'],
		tax_number: 'DE 123 456 789',
	},
};

test('each page fits into each width in both languages, and is readable for everybody', async (t) => {
	const dashboard = await startDashboard(t, {
		environment: {
			BURSAR_PROXY_HOST: 'gateway.residential-proxies.example:31280',
			BURSAR_EDGE_URL: 'https://edges.example',
			...PROVIDERS,
		},
	});
	await openWideReseller(dashboard.service.config, RESELLER);
	const owner = await dashboard.signedIn(OWNER, RESELLER);
	const operator = await dashboard.operator(OPERATOR);
	await wideBusiness(dashboard.service.config, RESELLER);
	const fits = createFits();
	const looks = createLooks();
	const act = () => crypto.randomUUID();
	const changes = await Promise.all([
		owner.change('/sub-users/give', {
			act: act(),
			username: LONG_NAME,
			amount: 123_456_78,
			note: 'Asked for more by mail',
		}),
		owner.change('/team/invite', { act: act(), email: `colleague-${OWNER}`, role: 'viewer' }),
		owner.change('/webhooks/create', { act: act(), url: LONG_URL, types: EVENT_TYPES.slice(0, 9) }),
		owner.change('/tokens/create', { act: act(), ...LONG_TOKEN, scopes: RESELLER_SCOPES, allowed_ips: LONG_NETWORKS }),
		operator.change('/operator/tokens/create', { act: act(), ...LONG_TOKEN, scopes: OPERATOR_SCOPES }),
		operator.change('/operator/ledger/verify', { act: act() }),
		operator.change('/operator/brand/set', { act: act(), ...WIDE_BRAND }),
	]);
	for (const change of changes) assert.equal(outcomeOf(change), '200');
	const { webhooks } = (await (await owner.read('/webhooks')).json()).data;

	async function visitAll(who: string, { page, open }: Visitor, paths: readonly string[]): Promise<void> {
		for (const language of Object.keys(LANGUAGES) as Language[]) {
			await open('/account');
			await page.evaluate(`localStorage.setItem('bursar-language', '${language}')`);
			for (const path of paths) {
				await open(path);
				await allRead(page);
				await fits.at(page, `${who} ${language} ${path}`);
				if (language === 'en') await looks.at(page, `${who}${path.replaceAll(/[^a-z]+/g, '-')}`);
			}
		}
	}

	await Promise.all([
		visitAll('stranger', await dashboard.visit(), ['/sign-in', '/invitation', '/stop-mail']),
		visitAll('owner', owner, [...OWNER_PAGES, `/webhooks/${webhooks[0].id}`]),
		visitAll('operator', operator, OPERATOR_PAGES),
	]);
	fits.assertRight();
	looks.assertRight();
});

const OWNER_PAGES = [
	'/',
	'/sub-users',
	`/sub-users/${LONG_NAME}`,
	'/sub-users/alice',
	'/connect',
	'/many-sub-users',
	'/statement',
	'/statement/months',
	'/statement/print',
	'/top-ups',
	`/top-ups/${WAITING_PAYMENT}`,
	`/top-ups/${MISFIT_PAYMENT}`,
	'/team',
	'/activity',
	'/token',
	'/webhooks',
	'/account',
	'/nowhere',
];

const OPERATOR_PAGES = [
	'/',
	'/resellers',
	`/resellers/${RESELLER}`,
	`/resellers/${LONG_RESELLER}`,
	`/resellers/${RESELLER}/sub-users`,
	`/resellers/${RESELLER}/sub-users/${LONG_NAME}`,
	`/resellers/${RESELLER}/months`,
	`/resellers/${RESELLER}/print`,
	'/people',
	'/income',
	'/payments',
	`/payments/${MISFIT_PAYMENT}`,
	'/bandwidth',
	'/usage',
	'/edges',
	'/connect',
	'/ledger',
	'/mail',
	'/webhooks',
	'/api-tokens',
	'/brand',
	'/activity',
	'/account',
];
