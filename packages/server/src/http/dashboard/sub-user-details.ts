import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { ListedAccount } from '../../store/sub-user-reads.ts';
import { time } from './views.ts';

/** A sub-user, and the balance of its reseller. */
export function subUserDetailsView(
	{ username, balanceCents, createdAtMs }: ListedAccount,
	reseller: Pick<ListedAccount, 'balanceCents'>,
): SubUserDetails {
	return { username, balance: balanceCents, created: time(createdAtMs), reseller_balance: reseller.balanceCents };
}
