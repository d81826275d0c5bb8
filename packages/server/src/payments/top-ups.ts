import { randomBytes } from 'node:crypto';
import type { PaymentProviderName } from '@bursar/contract/payments';
import { makePaymentId } from '@bursar/contract/secret-text';
import type { Bank } from '../bank/bank.ts';
import { type Refusal, refuse } from '../commands/command.ts';
import type { CreateTopUp } from '../commands/payments/create.ts';
import type { OutcomeOf } from '../commands/registry.ts';
import type { PaymentProvider } from './provider.ts';
import { type ReadingParts, recordRead } from './read-payment.ts';

/**
 * A page waits no longer than 15 s for an answer.
 * @bound A payment provider makes the page of a payment: after this time nobody waits for it, and the payment is looked up.
 */
const CREATE_CALL_MS = 10_000;

/** What a caller says of a new payment. */
export type AskedTopUp = Omit<CreateTopUp, 'kind' | 'payment' | 'isLive' | 'bounds'>;

export type TopUpOutcome = OutcomeOf<CreateTopUp> | Refusal<'provider_off'>;

/** How people and programs begin payments. */
export interface TopUps {
	/** The providers that are on, in the order in which pages show them. Empty if the service takes no payments. */
	readonly providers: readonly PaymentProviderName[];
	/** What the operator allows for one payment, in USD cents. */
	readonly bounds: { readonly minCents: number; readonly maxCents: number };
	/** Whether payments through this provider are only tests. */
	isTest(provider: PaymentProviderName): boolean;
	/**
	 * Begins a payment. Resolves when its page is there, or when it is not known yet whether it is: then its state is `creating`,
	 * and the service goes on by itself. Never rejects.
	 */
	begin(asked: AskedTopUp): Promise<TopUpOutcome>;
}

interface TopUpParts extends Pick<ReadingParts, 'stopping' | 'ended'> {
	readonly bank: Pick<Bank, 'submit'>;
	readonly providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
	readonly bounds: TopUps['bounds'];
	/** The origin at which people open the dashboard. */
	readonly publicUrl: () => string;
}

export function createTopUps({ bank, providers, bounds, publicUrl, stopping, ended }: TopUpParts): TopUps {
	return {
		providers: [...providers.keys()],
		bounds,
		isTest: (name) => providers.get(name)?.isLive === false,
		async begin(asked) {
			const provider = providers.get(asked.provider);
			if (!provider) return refuse('provider_off');
			const id = makePaymentId(randomBytes);
			const command: CreateTopUp = { kind: 'create_top_up', ...asked, payment: id, isLive: provider.isLive, bounds };
			const begun = await bank.submit(command);
			if (!begun.ok) return begun;
			const { payment } = begun;
			const wanted = { ...payment, returnUrl: `${publicUrl()}/dashboard/top-ups/${id}` };
			const made = await recordRead({ bank, ended }, payment, async () => {
				const signal = AbortSignal.any([stopping, AbortSignal.timeout(CREATE_CALL_MS)]);
				return { kind: 'found', ...(await provider.create(wanted, signal)) };
			});
			// The payment was begun, also if that could not be recorded: it will be looked up.
			return { ok: true, payment: made.ok ? made.payment : payment };
		},
	};
}
