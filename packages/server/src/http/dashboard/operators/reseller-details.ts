import type { ResellerDetails } from '@bursar/contract/dashboard';
import type { Account } from '../../../domain/account.ts';
import type { BusinessReads } from '../../../store/reads/business-reads.ts';
import type { DashboardReads } from '../../../store/reads/dashboard-reads.ts';
import type { MeteringReads } from '../../../store/reads/metering-reads.ts';
import { OPERATORS } from '../../../store/reads/read-owners.ts';
import { readTokenState } from '../business/token-state.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { personView } from '../team/person-view.ts';

interface DetailDependencies extends Pick<DashboardDependencies, 'nowMs' | 'publicUrl'> {
	readonly store: Pick<DashboardReads, 'listTokens'> &
		Pick<BusinessReads, 'listPeopleOf' | 'findSuspension' | 'findLargestTopUp'> &
		Pick<MeteringReads, 'listPrices'>;
}

/** How many changes of the price a page shows. */
const PRICES_SHOWN = 50;

/** What operators see of a reseller. */
export async function readResellerDetails(
	account: Pick<Account, 'username' | 'balanceCents' | 'createdAtMs'>,
	dependencies: DetailDependencies,
): Promise<ResellerDetails> {
	const { username, balanceCents, createdAtMs } = account;
	const [tokens, people, prices, suspendedAtMs, largestTopUpCents] = await Promise.all([
		readTokenState(username, dependencies, OPERATORS),
		dependencies.store.listPeopleOf(username),
		dependencies.store.listPrices(username, PRICES_SHOWN),
		dependencies.store.findSuspension(username, OPERATORS),
		dependencies.store.findLargestTopUp(username),
	]);
	return {
		reseller: username,
		balance: balanceCents,
		prices: prices.map(({ microUsdPerGb, setAtMs, email, systemUser }) => ({
			...{ price: microUsdPerGb, since: time(setAtMs), by: email ?? systemUser },
		})),
		suspended: timeOrNull(suspendedAtMs),
		created: time(createdAtMs),
		tokens,
		largest_top_up: largestTopUpCents,
		people: people.map(personView),
	};
}
