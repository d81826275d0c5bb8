import { type PaymentProviderName, PROVIDER_TITLES } from '@bursar/contract/payments';
import { page } from '@bursar/terminal';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../loopback.ts';
import type { PaymentProvider } from '../../payments/provider.ts';
import { createProviders } from '../../payments/providers/providers.ts';
import type { Finding } from '../../store/examination.ts';

/** @bound What `bursar doctor` asks a payment provider: then it says that the provider does not answer. */
const LIMIT_MS = 8_000;
/** What is known of its money. A store of BTCPay Server does not tell whether it uses a test network. */
const LIVE: Readonly<Record<PaymentProviderName, string>> = {
	stripe: ', and its payments move real money',
	btcpay: '. Its payments count as real money',
};
const PAGE = page('docs/operating/payments.md');

/** Whether each payment provider that is on can be used. It is only read from. */
export async function checkPayments(config: Pick<Config, 'payments'>): Promise<readonly Finding[]> {
	const providers = [...(await createProviders(config)).values()];
	if (providers.length === 0) return [{ state: 'skipped', text: 'No payment provider is on.' }];
	return [...(await Promise.all(providers.map(checkProvider))), ...plainFindings(config)];
}

async function checkProvider(provider: PaymentProvider): Promise<Finding> {
	const title = PROVIDER_TITLES[provider.name];
	const signal = AbortSignal.timeout(LIMIT_MS);
	try {
		await provider.check(signal);
	} catch (cause) {
		const why = signal.aborted ? `no answer within ${LIMIT_MS / 1_000} seconds` : (cause as Error).message;
		const remedy = `Look at its settings, its permissions and the firewall: ${PAGE}`;
		return { state: 'problem', text: `${title} cannot be used: ${why.replace(/\.$/, '')}.`, remedy };
	}
	if (provider.isLive) return { state: 'ok', text: `${title} can be used${LIVE[provider.name]}.` };
	const text = `${title} can be used with a key for tests: its payments move no real money.`;
	return { state: 'warning', text, remedy: `Before resellers pay, set the live key: ${PAGE}` };
}

function plainFindings({ payments }: Pick<Config, 'payments'>): readonly Finding[] {
	const url = payments?.btcpay?.url ?? 'https:';
	if (url.startsWith('https:') || isLoopback(new URL(url).hostname)) return [];
	const text = `${url} is plain http: the key of BTCPay Server can be read on the way, and what it answers can be changed.`;
	return [{ state: 'warning', text, remedy: `Set an https URL, unless no one else is on the network: ${PAGE}` }];
}
