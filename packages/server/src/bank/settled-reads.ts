import { StoreUnavailableError } from '../store/reading.ts';
import type { ApiReads } from '../store/tables/accounts/reads.ts';
import type { Bank } from './bank.ts';

/**
 * A batch takes less than this, in milliseconds, unless a disk stalls. So a change takes effect within five seconds of
 * its expiry, even if the clock is set back by the most that is allowed (docs/decisions/0028-expiry.md).
 * @bound A batch hangs while accounts are read: then reads of accounts are refused.
 */
const MAX_UNSETTLED_MS = 3_500;

/**
 * Reads for the API. While a batch has run for too long, reads of accounts are refused: its changes may still take
 * effect, so the service must not say that they are absent.
 */
export function createSettledReads(store: ApiReads, bank: Pick<Bank, 'underWaySinceMs'>): ApiReads {
	/** Reads if all batches are settled. Returns the promise of the read itself, without another one around it. */
	function ifSettled<Value>(read: () => Promise<Value>): Promise<Value> {
		if (performance.now() - bank.underWaySinceMs < MAX_UNSETTLED_MS) return read();
		return Promise.reject(new StoreUnavailableError('a batch has been under way for too long'));
	}
	return {
		findAccount: (...name) => ifSettled(() => store.findAccount(...name)),
		listSubUsers: (...page) => ifSettled(() => store.listSubUsers(...page)),
		findChange: (...name) => ifSettled(() => store.findChange(...name)),
		listSubUsersInState: (query) => ifSettled(() => store.listSubUsersInState(query)),
		findDetails: (...name) => ifSettled(() => store.findDetails(...name)),
		findDebt: (...of) => ifSettled(() => store.findDebt(...of)),
		findPrice: (reseller) => store.findPrice(reseller),
		readPairBounds: (query) => ifSettled(() => store.readPairBounds(query)),
		listRefusals: (query) => store.listRefusals(query),
		readUsed: (query) => store.readUsed(query),
		listMovements: (query) => ifSettled(() => store.listMovements(query)),
		followMovements: (query) => ifSettled(() => store.followMovements(query)),
		findMovement: (...of) => ifSettled(() => store.findMovement(...of)),
		readEvents: (query) => store.readEvents(query),
		listNewestEvents: (resellers) => store.listNewestEvents(resellers),
		listTokens: (...of) => ifSettled(() => store.listTokens(...of)),
		listWebhooks: (...of) => ifSettled(() => store.listWebhooks(...of)),
		listWebhookTries: (...of) => ifSettled(() => store.listWebhookTries(...of)),
		findPayment: (...of) => ifSettled(() => store.findPayment(...of)),
		listPayments: (query) => ifSettled(() => store.listPayments(query)),
		listUsageDays: (...span) => store.listUsageDays(...span),
	};
}
