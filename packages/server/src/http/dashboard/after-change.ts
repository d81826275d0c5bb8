import type { Account } from '@bursar/contract/dashboard';
import type { DashboardReads, SignedIn } from '../../store/dashboard-reads.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import type { Reply } from './question.ts';
import { accountView } from './views.ts';

/**
 * Reads for the answer of a change that is done. If the store cannot be read, the page must look again: `unavailable`
 * would say that nothing was done.
 */
export async function readAfterChange<Result>(read: () => Promise<Reply<Result>>): Promise<Reply<Result>> {
	try {
		return await read();
	} catch (cause) {
		if (cause instanceof StoreUnavailableError) return { refused: 'outcome_unknown' };
		throw cause;
	}
}

/** The person's account after a change. If the session has ended meanwhile, `signed_out` would say that nothing was done. */
export function accountAfterChange(
	{ session }: SignedIn,
	{ store, nowMs }: { readonly store: Pick<DashboardReads, 'findSession'>; readonly nowMs: () => number },
): Promise<Reply<Account>> {
	return readAfterChange(async () => {
		const asker = await store.findSession(session.hash);
		return asker ? { data: accountView(asker, nowMs()) } : { refused: 'outcome_unknown' };
	});
}
