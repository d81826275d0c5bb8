import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentProviderName } from '@bursar/contract/payments';

/**
 * How a hint ended. `good`: reads were asked for. `unknown`: it is signed, and names no payment of ours. `forged`: it is not
 * signed. `too_many`: it was not looked at.
 */
export type HintResult = 'good' | 'unknown' | 'forged' | 'too_many';

/** Takes hints of payment providers. */
export interface Hints {
	/** The providers that are on. */
	readonly providers: readonly PaymentProviderName[];
	/**
	 * Verifies a hint, by its body as it was sent, and asks for a read of each of our payments that it names. Resolves once that
	 * is durable. Rejects with `ForgedHintError`, or with `StoreUnavailableError`: then the hint must come again.
	 */
	take(
		provider: PaymentProviderName,
		hint: { readonly body: Buffer; readonly headers: IncomingHttpHeaders },
	): Promise<Extract<HintResult, 'good' | 'unknown'>>;
	/** Called with how each hint ended. */
	ended(provider: PaymentProviderName, result: HintResult): void;
}
