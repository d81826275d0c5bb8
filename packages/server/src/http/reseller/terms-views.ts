import type { Movement, SubUserDetails } from '@bursar/contract';
import type { RefusedOnEdge } from '../../domain/account-refusals.ts';
import { PLATFORM_SIDES } from '../../domain/ledger.ts';
import type { StoredDetails } from '../../store/tables/accounts/terms-reads.ts';
import type { StoredMovement } from '../../store/tables/ledger/movements.ts';
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

/** A movement as the reseller sees it. Of bandwidth of a sub-user, the balance of the reseller stays as it is. */
export function movementView(row: StoredMovement, reseller: string): Movement {
	const { kind, debit, credit, amountCents, debitBalanceCents, creditBalanceCents, atMs, requestId } = row;
	const sides = [
		{ name: debit, balanceCents: debitBalanceCents },
		{ name: credit, balanceCents: creditBalanceCents },
	];
	const own = sides.find(({ name }) => name === reseller);
	const subUser = sides.find(({ name }) => name !== reseller && !PLATFORM_SIDES.includes(name));
	return {
		kind: kind as Movement['kind'],
		username: subUser?.name ?? row.aboutUsername,
		amount: amountCents,
		balance: own?.balanceCents ?? null,
		sub_user_balance: subUser?.balanceCents ?? null,
		timestamp: new Date(atMs).toISOString(),
		request_id: requestId,
	};
}
