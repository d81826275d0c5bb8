import type { Account } from '../../domain/account.ts';
import type { RefusedOnEdge } from '../../domain/account-refusals.ts';
import type { StoredDetails, SubUserInState } from '../../store/tables/accounts/terms-reads.ts';
import { type Usable, usedAndLimitsView } from '../sub-user-limits.ts';
import { refusalsView } from '../sub-user-refusals.ts';
import { time } from './times.ts';

// What programs of the operator see of a sub-user: neither its key nor the note of its reseller.

export function listedSubUserView({
	username,
	balanceCents,
	state,
	createdAtMs,
}: Omit<SubUserInState, 'reseller' | 'proxyAuthkey'>) {
	return { username, balance: balanceCents, state, date_created: time(createdAtMs) };
}

export function subUserView(
	account: Account,
	details: StoredDetails,
	{ usable, refusals }: { readonly usable: Usable; readonly refusals: readonly RefusedOnEdge[] },
) {
	return {
		...listedSubUserView({ ...account, state: details.state }),
		...usable,
		...usedAndLimitsView(details),
		...refusalsView(refusals),
	};
}
