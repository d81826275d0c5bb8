import type { PairState, SubUserDetails } from '@bursar/contract/dashboard';
import type { Account } from '../../../domain/account.ts';
import type { SubUserReads } from '../../../store/tables/accounts/sub-users.ts';
import type { StoredDetails, TermsReads } from '../../../store/tables/accounts/terms-reads.ts';
import type { MeteringReads } from '../../../store/tables/meters/reads.ts';
import { usedAndLimitsView } from '../../sub-user-limits.ts';
import { time } from '../calls/times.ts';
import { type Accounts, findSubUser, readReseller } from './accounts.ts';
import { readPairState } from './pair-states.ts';

interface SubUserDependencies {
	readonly accounts: Accounts & Pick<TermsReads, 'findDetails'>;
	readonly store: Pick<MeteringReads, 'findPrice'> & Pick<SubUserReads, 'readPairBounds'>;
	readonly nowMs: () => number;
}

/** The sub-user of this reseller that a page names, and the balance of the reseller. */
export async function readSubUserDetails(
	{ accounts, store, nowMs }: SubUserDependencies,
	reseller: string,
	username: string,
): Promise<SubUserDetails | undefined> {
	const subUser = await findSubUser(accounts, reseller, username);
	if (!subUser) return undefined;
	const [own, price, details, state] = await Promise.all([
		readReseller(accounts, reseller),
		store.findPrice(reseller),
		accounts.findDetails(reseller, subUser.username),
		readPairState(store, { reseller, username: subUser.username, atMs: nowMs() }),
	]);
	// It was deleted meanwhile.
	if (!details || !state) return undefined;
	return {
		...accountView(subUser, details, state),
		reseller_balance: own.balanceCents,
		price: price?.microUsdPerGb ?? null,
		note: details.terms.note,
	};
}

/** What everybody sees of a sub-user who may see it. */
export function accountView(
	{ username, balanceCents, createdAtMs }: Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>,
	details: StoredDetails,
	state: PairState,
) {
	return { username, balance: balanceCents, created: time(createdAtMs), state, ...usedAndLimitsView(details) };
}
