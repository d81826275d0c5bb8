import type { Movement, SubUserDetails, SubUserLimits } from '@bursar/contract';
import { PLATFORM_SIDES } from '../../domain/ledger.ts';
import type { Limits } from '../../domain/terms.ts';
import type { StoredDetails } from '../../store/tables/accounts/life.ts';
import type { StoredMovement } from '../../store/tables/ledger/movements.ts';

// What docs/api.md 11 answers.

export function limitsView(limits: Limits): SubUserLimits {
	const { dayBytes, monthBytes, totalBytes, connections, allowedIps, expiresAtMs } = limits;
	return {
		day_bytes: dayBytes,
		month_bytes: monthBytes,
		total_bytes: totalBytes,
		connections,
		allowed_ips: allowedIps === null ? null : [...allowedIps],
		expires_at: timeOrNull(expiresAtMs),
	};
}

export function detailsView(details: StoredDetails): SubUserDetails {
	const { username, state, terms, usedOfDay, usedOfMonth, usedOfTotal, openConnections, lastSeenAtMs } = details;
	return {
		username,
		state,
		limits: limitsView(terms.limits),
		used: {
			day_bytes: usedOfDay,
			month_bytes: usedOfMonth,
			total_bytes: usedOfTotal,
			connections: openConnections,
		},
		note: terms.note,
		last_seen: timeOrNull(lastSeenAtMs),
	};
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

function timeOrNull(atMs: number | null): string | null {
	return atMs === null ? null : new Date(atMs).toISOString();
}
