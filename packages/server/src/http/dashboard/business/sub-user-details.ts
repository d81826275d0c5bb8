import type { SubUserDetails } from '@bursar/contract/dashboard';
import { time } from '../calls/times.ts';
import { type Accounts, findSubUser, readReseller } from './accounts.ts';

/** The sub-user of this reseller that a page names, and the balance of the reseller. */
export async function readSubUserDetails(
	accounts: Accounts,
	reseller: string,
	username: string,
): Promise<SubUserDetails | undefined> {
	const [subUser, own] = await Promise.all([
		findSubUser(accounts, reseller, username),
		readReseller(accounts, reseller),
	]);
	return (
		subUser && {
			username: subUser.username,
			balance: subUser.balanceCents,
			created: time(subUser.createdAtMs),
			reseller_balance: own.balanceCents,
		}
	);
}
