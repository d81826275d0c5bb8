import type { SubUserDetails } from '@bursar/contract';
import type { RefusedOnEdge } from '../../domain/account-refusals.ts';
import type { StoredDetails } from '../../store/tables/accounts/terms-reads.ts';
import { type Usable, usedAndLimitsView } from '../sub-user-limits.ts';
import { refusalsView } from '../sub-user-refusals.ts';

// What docs/api.md 11 answers.

export function detailsView(
	details: StoredDetails,
	{ usable, refusals }: { readonly usable: Usable; readonly refusals: readonly RefusedOnEdge[] },
): SubUserDetails {
	const { username, state, terms } = details;
	const { last_seen, ...usedAndLimits } = usedAndLimitsView(details);
	return { username, state, ...usable, ...usedAndLimits, note: terms.note, last_seen, ...refusalsView(refusals) };
}
