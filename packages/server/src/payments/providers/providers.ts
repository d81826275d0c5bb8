import type { PaymentProviderName } from '@bursar/contract/payments';
import type { PaymentProvider } from '../provider.ts';
import type { PaymentSettings } from '../settings.ts';

/** The payment providers that are on. The library of one that is off is not loaded. */
export async function createProviders({
	payments = {},
}: {
	readonly payments?: PaymentSettings;
}): Promise<ReadonlyMap<PaymentProviderName, PaymentProvider>> {
	const { stripe, btcpay } = payments;
	const providers = [
		...(stripe ? [(await import('./stripe.ts')).createStripe(stripe)] : []),
		...(btcpay ? [(await import('./btcpay.ts')).createBtcpay(btcpay)] : []),
	];
	return new Map(providers.map((provider) => [provider.name, provider]));
}
