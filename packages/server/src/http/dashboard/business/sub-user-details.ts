import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { LifeReads } from '../../../store/reads/life-reads.ts';
import type { MeteringReads } from '../../../store/reads/metering-reads.ts';
import { time, timeOrNull } from '../calls/times.ts';
import { type Accounts, findSubUser, readReseller } from './accounts.ts';
import { limitsView } from './limits.ts';

interface SubUserDependencies {
	readonly accounts: Accounts & Pick<LifeReads, 'findDetails'>;
	readonly store: Pick<MeteringReads, 'findPrice'>;
}

/** The sub-user of this reseller that a page names, and the balance of the reseller. */
export async function readSubUserDetails(
	{ accounts, store }: SubUserDependencies,
	reseller: string,
	username: string,
): Promise<SubUserDetails | undefined> {
	const subUser = await findSubUser(accounts, reseller, username);
	if (!subUser) return undefined;
	const [own, price, details] = await Promise.all([
		readReseller(accounts, reseller),
		store.findPrice(reseller),
		accounts.findDetails(reseller, subUser.username),
	]);
	// It was deleted meanwhile.
	if (!details) return undefined;
	const { state, terms } = details;
	return {
		username: subUser.username,
		balance: subUser.balanceCents,
		created: time(subUser.createdAtMs),
		reseller_balance: own.balanceCents,
		price: price?.microUsdPerGb ?? null,
		state,
		limits: limitsView(terms.limits),
		used: {
			day_bytes: details.usedOfDay,
			month_bytes: details.usedOfMonth,
			total_bytes: details.usedOfTotal,
			connections: details.openConnections,
		},
		note: terms.note,
		last_seen: timeOrNull(details.lastSeenAtMs),
	};
}
