import type { SubUserDetails } from '@bursar/contract';
import type { StoredDetails } from '../../store/tables/accounts/terms-reads.ts';
import { usedAndLimitsView } from '../sub-user-limits.ts';

// What docs/api.md 11 answers.

export function detailsView(details: StoredDetails): SubUserDetails {
	const { username, state, terms } = details;
	const { last_seen, ...usedAndLimits } = usedAndLimitsView(details);
	return { username, state, ...usedAndLimits, note: terms.note, last_seen };
}
