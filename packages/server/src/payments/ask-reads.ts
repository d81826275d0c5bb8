import { randomUUID } from 'node:crypto';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { Bank } from '../bank/bank.ts';
import { StoreUnavailableError } from '../store/reading.ts';
import type { PaymentKey, PaymentReads } from '../store/tables/payments/reads.ts';
import { withPossibleIds } from './check-found.ts';
import type { PaymentNames } from './provider.ts';

interface AskingParts {
	readonly store: Pick<PaymentReads, 'findPaymentsNamed'>;
	readonly bank: Pick<Bank, 'submit'>;
}

/**
 * Asks for a read of each of our payments that a provider names, but for those whose state is known. Resolves to how many
 * there are, once that is durable.
 * Rejects with `StoreUnavailableError` if some may not have been asked for.
 */
export async function askReads(
	{ store, bank }: AskingParts,
	provider: PaymentProviderName,
	names: readonly PaymentNames[],
): Promise<number> {
	const found = new Map<string, PaymentKey>();
	for (const name of names) {
		const { state, ...ids } = withPossibleIds(name);
		for (const payment of await store.findPaymentsNamed({ provider, ...ids })) {
			if (state === undefined || payment.state !== state) found.set(payment.id, payment);
		}
	}
	await Promise.all(
		found.values().map(async ({ id, reseller }) => {
			const asked = await bank.submit({ kind: 'ask_payment_read', reseller, payment: id, requestId: randomUUID() });
			if (!asked.ok) throw new StoreUnavailableError(`a read of a payment could not be asked for: ${asked.error}`);
		}),
	);
	return found.size;
}
