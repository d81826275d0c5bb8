import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { Account } from '../../../domain/account.ts';
import type { RefusedOnEdge } from '../../../domain/account-refusals.ts';
import type { SubUserReads } from '../../../store/tables/accounts/sub-users.ts';
import type { StoredDetails, TermsReads } from '../../../store/tables/accounts/terms-reads.ts';
import type { MeteringReads } from '../../../store/tables/meters/reads.ts';
import type { RefusalReads } from '../../../store/tables/refusals/reads.ts';
import { usedAndLimitsView } from '../../sub-user-limits.ts';
import { readRefusals, refusalsForPeople } from '../../sub-user-refusals.ts';
import { time } from '../calls/times.ts';
import { type Accounts, findSubUser, readReseller } from './accounts.ts';
import { readPairState, type ShownState } from './pair-states.ts';

interface SubUserDependencies {
	readonly accounts: Accounts & Pick<TermsReads, 'findDetails'>;
	readonly store: Pick<MeteringReads, 'findPrice'> & Pick<SubUserReads, 'readPairBounds'> & RefusalReads;
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
	const atMs = nowMs();
	const [own, price, details, shown, refusals] = await Promise.all([
		readReseller(accounts, reseller),
		store.findPrice(reseller),
		accounts.findDetails(reseller, subUser.username),
		readPairState(store, { reseller, username: subUser.username, atMs }),
		readRefusals(store, { owner: reseller, username: subUser.username, nowMs: atMs }),
	]);
	// It was deleted meanwhile.
	if (!details || !shown) return undefined;
	return {
		...accountView(subUser, { details, shown, refusals }),
		reseller_balance: own.balanceCents,
		price: price?.microUsdPerGb ?? null,
		note: details.terms.note,
	};
}

interface AccountFacts {
	readonly details: StoredDetails;
	readonly shown: ShownState;
	readonly refusals: readonly RefusedOnEdge[];
}

/** What everybody sees of a sub-user who may see it. */
export function accountView(
	{ username, balanceCents, createdAtMs }: Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>,
	{ details, shown, refusals }: AccountFacts,
) {
	return {
		username,
		balance: balanceCents,
		created: time(createdAtMs),
		...shown,
		...usedAndLimitsView(details),
		sign_in_by_address: details.maySignInByAddress,
		refusals: refusalsForPeople(refusals),
	};
}
