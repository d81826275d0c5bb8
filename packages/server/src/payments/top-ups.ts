import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentProviderName } from '@bursar/contract/payments';
import { makePaymentId } from '@bursar/contract/secret-text';
import type { Bank } from '../bank/bank.ts';
import { type Refusal, refuse } from '../commands/command.ts';
import type { CreateTopUp } from '../commands/payments/create.ts';
import type { OutcomeOf } from '../commands/registry.ts';
import type { PaymentProvider } from './provider.ts';
import { CALL_MS, type ReadingParts, recordRead } from './read-payment.ts';

/**
 * Programs give a request up after ten seconds (docs/api.md 10.2), and its change may take five.
 * @bound The wait for the page of a new payment: then it is answered as `creating`. The call to the provider goes on.
 */
const PAGE_MS = 4_000;

/** What a caller says of a new payment. */
export type AskedTopUp = Omit<CreateTopUp, keyof MadeTopUp>;
type MadeTopUp = Pick<CreateTopUp, 'kind' | 'payment' | 'isLive' | 'bounds'>;

/** If what was asked for has no act, no act is refused. */
export type TopUpOutcome<Asked extends AskedTopUp = AskedTopUp> =
	| OutcomeOf<Asked & MadeTopUp>
	| Refusal<'provider_off'>;

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
	begin<Asked extends AskedTopUp>(asked: Asked): Promise<TopUpOutcome<Asked>>;
}

interface TopUpParts extends Pick<ReadingParts, 'stopping' | 'ended'> {
	readonly bank: Pick<Bank, 'submit'>;
	readonly providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
	readonly bounds: TopUps['bounds'];
	/** The origin at which people open the dashboard. */
	readonly publicUrl: () => string;
	/** Called with what makes the object of a payment: it may go on behind the answer. It never rejects. */
	readonly goesOn: (making: Promise<unknown>) => void;
}

export function createTopUps({ bank, providers, bounds, publicUrl, stopping, ended, goesOn }: TopUpParts): TopUps {
	return {
		providers: [...providers.keys()],
		bounds,
		isTest: (name) => providers.get(name)?.isLive === false,
		begin: (async (asked: AskedTopUp): Promise<TopUpOutcome> => {
			const provider = providers.get(asked.provider);
			if (!provider) return refuse('provider_off');
			const id = makePaymentId(randomBytes);
			const command: CreateTopUp = { kind: 'create_top_up', ...asked, payment: id, isLive: provider.isLive, bounds };
			const begun = await bank.submit(command);
			if (!begun.ok) return begun;
			const { payment } = begun;
			const wanted = { ...payment, returnUrl: `${publicUrl()}/dashboard/top-ups/${id}` };
			const making = recordRead({ bank, ended }, payment, async () => {
				const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_MS)]);
				return { kind: 'found', ...(await provider.create(wanted, signal)) };
			});
			goesOn(making);
			const made = await Promise.race([making, wait(PAGE_MS, undefined, { ref: false })]);
			// The payment was begun, also if nothing is recorded of its object yet: it will be looked up.
			return { ok: true, payment: made?.ok ? made.payment : payment };
		}) as TopUps['begin'],
	};
}
