import { readAmount, usd } from '@bursar/contract/usd';
import { isLoopback } from '../loopback.ts';
import type { SettingsReader } from '../settings-reader.ts';

export interface StripeSettings {
	readonly key: string;
	readonly webhookSecret: string;
	/** The origin of the API. */
	readonly url: string;
}

export interface BtcpaySettings {
	/** Without a slash at the end. */
	readonly url: string;
	/** The id of the store. */
	readonly store: string;
	readonly key: string;
	readonly webhookSecret: string;
}

/** The payment providers that are on. */
export interface PaymentSettings {
	readonly stripe?: StripeSettings;
	readonly btcpay?: BtcpaySettings;
}

/** How much a top-up may be, in USD cents. */
export interface TopUpLimits {
	readonly minCents: number;
	readonly maxCents: number;
}

const STRIPE_URL = 'https://api.stripe.com';
const DEFAULT_TOP_UPS: TopUpLimits = { minCents: 1_000, maxCents: 500_000 };
/** What Stripe takes. */
const POSSIBLE_TOP_UPS: TopUpLimits = { minCents: 50, maxCents: 99_999_999 };

/** Reads the settings of payment providers. `undefined` if none is on. */
export function readPayments(settings: SettingsReader): PaymentSettings | undefined {
	const stripe = readStripe(settings);
	const btcpay = readBtcpay(settings);
	return stripe || btcpay ? { ...(stripe && { stripe }), ...(btcpay && { btcpay }) } : undefined;
}

export function readTopUpLimits({ read, problems }: SettingsReader): TopUpLimits {
	/** @bound A top-up of a reseller (`BURSAR_TOP_UP_MIN_USD`): a smaller one is refused. */
	const minCents = read('BURSAR_TOP_UP_MIN_USD', DEFAULT_TOP_UPS.minCents, dollars);
	/** @bound A top-up of a reseller (`BURSAR_TOP_UP_MAX_USD`): a larger one is refused. */
	const maxCents = read('BURSAR_TOP_UP_MAX_USD', DEFAULT_TOP_UPS.maxCents, dollars);
	if (minCents > maxCents) {
		problems.push(`BURSAR_TOP_UP_MIN_USD: it must be at most BURSAR_TOP_UP_MAX_USD, which is ${usd(maxCents)}`);
	}
	return { minCents, maxCents };
}

/** Whether a key of Stripe is for tests, so that no real money moves. */
export function isTestKey(key: string): boolean {
	return /^[sr]k_test_/.test(key);
}

/** The same without secrets. */
export function maskedPayments({ stripe, btcpay }: PaymentSettings): Record<string, unknown> {
	const masked = { key: '[set]', webhookSecret: '[set]' };
	return { ...(stripe && { stripe: { ...stripe, ...masked } }), ...(btcpay && { btcpay: { ...btcpay, ...masked } }) };
}

function readStripe(settings: SettingsReader): StripeSettings | undefined {
	const key = settings.readSecret('BURSAR_STRIPE_KEY', stripeKey);
	const webhookSecret = settings.readSecret('BURSAR_STRIPE_WEBHOOK_SECRET', stripeWebhookSecret);
	const url = settings.read('BURSAR_STRIPE_URL', STRIPE_URL, stripeUrl);
	tellMissing(settings, {
		secrets: ['BURSAR_STRIPE_KEY', 'BURSAR_STRIPE_WEBHOOK_SECRET'],
		optional: ['BURSAR_STRIPE_URL'],
	});
	return key && webhookSecret ? { key, webhookSecret, url } : undefined;
}

function readBtcpay(settings: SettingsReader): BtcpaySettings | undefined {
	const url = settings.read('BURSAR_BTCPAY_URL', undefined, baseUrl);
	const store = settings.read('BURSAR_BTCPAY_STORE', undefined, storeId);
	const key = settings.readSecret('BURSAR_BTCPAY_KEY', word);
	const webhookSecret = settings.readSecret('BURSAR_BTCPAY_WEBHOOK_SECRET', word);
	const needed = ['BURSAR_BTCPAY_URL', 'BURSAR_BTCPAY_STORE'];
	tellMissing(settings, { needed, secrets: ['BURSAR_BTCPAY_KEY', 'BURSAR_BTCPAY_WEBHOOK_SECRET'] });
	return url && store && key && webhookSecret ? { url, store, key, webhookSecret } : undefined;
}

interface ProviderVariables {
	readonly needed?: readonly string[];
	/** They are needed too. */
	readonly secrets: readonly string[];
	readonly optional?: readonly string[];
}

/** If any of the variables of a provider is set, all that it needs must be. */
function tellMissing(
	{ isSet, problems }: SettingsReader,
	{ needed = [], secrets, optional = [] }: ProviderVariables,
): void {
	const given = [...needed, ...secrets, ...optional].find(isSet);
	if (given === undefined) return;
	for (const name of [...needed, ...secrets].filter((each) => !isSet(each))) {
		problems.push(`${name}: with ${given} it is required${secrets.includes(name) ? `, or ${name}_FILE` : ''}`);
	}
}

function stripeKey(text: string): string {
	if (/^[sr]k_(test|live)_\w+$/.test(text)) return text;
	throw new Error('it must be a secret or restricted key, which begins with sk_live_, rk_live_, sk_test_ or rk_test_');
}

function stripeWebhookSecret(text: string): string {
	if (/^whsec_\S+$/.test(text)) return word(text);
	throw new Error('it must be the signing secret of a webhook, which begins with whsec_');
}

/** A secret without spaces: it goes into a header. */
function word(text: string): string {
	if (/^[\x21-\x7e]+$/.test(text)) return text;
	throw new Error('it must be one word of ASCII characters');
}

function storeId(text: string): string {
	if (/^\w{1,100}$/.test(text)) return text;
	throw new Error('it must be the id of a store, of letters and digits');
}

function stripeUrl(text: string): string {
	const url = new URL(baseUrl(text));
	if (url.pathname !== '/') throw new Error('it must have no path');
	if (url.protocol === 'http:' && !isLoopback(url.hostname))
		throw new Error('it must be https, unless it is on this machine');
	return url.origin;
}

/** A URL to which paths are added. */
function baseUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
		throw new Error('it must be an http or https URL without user, query or fragment, like https://pay.example');
	}
	return url.href.replace(/\/+$/, '');
}

function dollars(text: string): number {
	const { minCents, maxCents } = POSSIBLE_TOP_UPS;
	const cents = readAmount(text, 'usd');
	if (typeof cents === 'number' && cents >= minCents && cents <= maxCents) return cents;
	throw new Error(`it must be US dollars from ${usd(minCents)} to ${usd(maxCents)}, like 10 or 12.50`);
}
