import type { ResellerReads } from '../store/reseller-reads.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Bank } from './bank.ts';

/**
 * A batch takes less, in milliseconds, unless a disk stalls. Together with the step that the clock may make, it leaves a
 * change less than the five seconds after its expiry that `docs/decisions/0028-expiry.md` promises.
 */
const MAX_UNSETTLED_MS = 3_500;

/**
 * Reads of accounts, for answers. While a batch has been under way for too long, they are refused: its changes may still
 * take effect, and who looks for one of them may not be told that it has not.
 */
export function createSettledReads(store: ResellerReads, bank: Pick<Bank, 'underWaySinceMs'>): ResellerReads {
	function assertSettled(): void {
		if (performance.now() - bank.underWaySinceMs < MAX_UNSETTLED_MS) return;
		throw new StoreUnavailableError('a batch has been under way for too long');
	}
	return {
		async findAccount(...name) {
			assertSettled();
			return store.findAccount(...name);
		},
		async listSubUsers(...page) {
			assertSettled();
			return store.listSubUsers(...page);
		},
		listUsageDays: (...span) => store.listUsageDays(...span),
	};
}
