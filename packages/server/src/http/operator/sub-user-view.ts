import type { Account } from '../../domain/account.ts';
import type { StoredDetails, SubUserInState } from '../../store/tables/accounts/terms-reads.ts';
import { usedAndLimitsView } from '../sub-user-limits.ts';
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

export function subUserView(account: Account, details: StoredDetails) {
	return { ...listedSubUserView({ ...account, state: details.state }), ...usedAndLimitsView(details) };
}
