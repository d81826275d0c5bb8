import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { MeteringReads } from '../../../store/reads/metering-reads.ts';
import { time } from '../calls/times.ts';
import { type Accounts, findSubUser, readReseller } from './accounts.ts';

interface SubUserDependencies {
	readonly accounts: Accounts;
	readonly store: Pick<MeteringReads, 'findPrice'>;
}

/** The sub-user of this reseller that a page names, and the balance of the reseller. */
export async function readSubUserDetails(
	{ accounts, store }: SubUserDependencies,
	reseller: string,
	username: string,
): Promise<SubUserDetails | undefined> {
	const [subUser, own, price] = await Promise.all([
		findSubUser(accounts, reseller, username),
		readReseller(accounts, reseller),
		store.findPrice(reseller),
	]);
	return (
		subUser && {
			username: subUser.username,
			balance: subUser.balanceCents,
			created: time(subUser.createdAtMs),
			reseller_balance: own.balanceCents,
			price: price?.microUsdPerGb ?? null,
		}
	);
}
