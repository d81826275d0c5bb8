import type { Movement, SubUserDetails } from '@bursar/contract';
import { PLATFORM_SIDES } from '../../domain/ledger.ts';
import type { StoredDetails } from '../../store/tables/accounts/terms-reads.ts';
import type { StoredMovement } from '../../store/tables/ledger/movements.ts';
import { usedAndLimitsView } from '../sub-user-limits.ts';

// What docs/api.md 11 answers.

export function detailsView(details: StoredDetails): SubUserDetails {
	const { username, state, terms } = details;
	const { last_seen, ...usedAndLimits } = usedAndLimitsView(details);
	return { username, state, ...usedAndLimits, note: terms.note, last_seen };
}

/** A movement as the reseller sees it. Of bandwidth of a sub-user, the balance of the reseller stays as it is. */
export function movementView(row: StoredMovement): Movement {
	const { reseller, kind, debit, credit, amountCents, debitBalanceCents, creditBalanceCents, atMs, requestId } = row;
	const sides = [
		{ name: debit, balanceCents: debitBalanceCents },
		{ name: credit, balanceCents: creditBalanceCents },
	];
	const own = sides.find(({ name }) => name === reseller);
	const subUser = sides.find(({ name }) => name !== reseller && !PLATFORM_SIDES.includes(name));
	return {
		id: row.number,
		kind: kind as Movement['kind'],
		username: subUser?.name ?? row.aboutUsername,
		amount: amountCents,
		balance: own?.balanceCents ?? null,
		sub_user_balance: subUser?.balanceCents ?? null,
		timestamp: new Date(atMs).toISOString(),
		request_id: requestId,
		change_id: row.changeId,
		reference: row.reference,
	};
}
