import type { ResellerDetails } from '@bursar/contract/dashboard';
import type { Account } from '../../../domain/account.ts';
import { OPERATORS } from '../../../store/reading.ts';
import type { ResellerListReads } from '../../../store/tables/accounts/resellers.ts';
import type { SubUserReads } from '../../../store/tables/accounts/sub-users.ts';
import type { TopUpReads } from '../../../store/tables/ledger/top-ups.ts';
import type { MeteringReads } from '../../../store/tables/meters/reads.ts';
import type { PeopleListReads } from '../../../store/tables/people/lists.ts';
import type { DashboardReads } from '../../../store/tables/people/reads.ts';
import { readPairState } from '../business/pair-states.ts';
import { readTokenState } from '../business/token-state.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { personView } from '../team/person-view.ts';

interface DetailDependencies extends Pick<DashboardDependencies, 'nowMs' | 'publicUrl'> {
	readonly store: Pick<DashboardReads, 'listTokens'> &
		Pick<PeopleListReads, 'listPeopleOf'> &
		Pick<ResellerListReads, 'findOwnTerms'> &
		Pick<TopUpReads, 'findLargestTopUp'> &
		Pick<MeteringReads, 'listPrices' | 'findDebt'> &
		Pick<SubUserReads, 'readPairBounds'>;
}

/** @bound Changes of a price that a page shows: the rest is left out. */
const PRICES_SHOWN = 50;

/** What operators see of a reseller. */
export async function readResellerDetails(
	account: Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>,
	dependencies: DetailDependencies,
): Promise<ResellerDetails> {
	const { username, balanceCents, createdAtMs } = account;
	const { store, nowMs } = dependencies;
	const [tokens, people, prices, ownTerms, largestTopUpCents, debt, pair] = await Promise.all([
		readTokenState(username, dependencies, OPERATORS),
		store.listPeopleOf(username),
		store.listPrices(username, PRICES_SHOWN),
		store.findOwnTerms(username, OPERATORS),
		store.findLargestTopUp(username),
		store.findDebt(username, OPERATORS),
		readPairState(store, { reseller: username, username, atMs: nowMs(), owner: OPERATORS }),
	]);
	if (!debt) throw new Error('a reseller has no account');
	return {
		reseller: username,
		balance: balanceCents,
		pair: pair?.state ?? null,
		debt: debt.cents,
		debt_line: debt.lineCents,
		prices: prices.map(({ microUsdPerGb, setAtMs, email, systemUser, operatorToken }) => ({
			...{ price: microUsdPerGb, since: time(setAtMs), by: email ?? systemUser ?? operatorToken },
		})),
		suspended: timeOrNull(ownTerms.suspendedAtMs),
		sign_in_by_address: ownTerms.isSignInAllowed === 1,
		note: ownTerms.note,
		created: time(createdAtMs),
		tokens,
		largest_top_up: largestTopUpCents,
		people: people.map(personView),
	};
}
