import type { LowReseller, PlatformMoney } from '@bursar/contract/dashboard';
import type { Holdings } from '../../../store/tables/accounts/holdings.ts';
import { countedDays, spending, WEEK_DAYS } from '../business/metering.ts';

/** @bound Accounts that run low that the start page shows: the rest is left out. */
const SHOWN = 10;

interface Week {
	/** Its first UTC day, in days since 1970-01-01. */
	readonly firstDay: number;
	readonly nowMs: number;
}

/**
 * Which resellers run low. `holdings` is what the accounts of each reseller hold, and `costCents` in it is the cost of the
 * week. Suspended resellers are left out: proxies refuse them anyway.
 */
export function runningLow(holdings: readonly Holdings[], week: Week): PlatformMoney['low'] {
	const low = holdings
		.filter(({ suspendedAtMs }) => suspendedAtMs === null)
		.toSorted((one, other) => other.costCents - one.costCents)
		.flatMap((each) => lowReseller(each, week));
	return { count: low.length, resellers: low.slice(0, SHOWN) };
}

/** Empty if it does not run low. */
function lowReseller(holdings: Holdings, { firstDay, nowMs }: Week): readonly LowReseller[] {
	const { reseller, ownCents, heldCents, lowBalanceCents, meteredSinceMs, costCents } = holdings;
	const daysLeft =
		meteredSinceMs === null
			? null
			: spending(heldCents, costCents, countedDays(meteredSinceMs, firstDay, nowMs)).days_left;
	const reason = reasonOf({ ownCents, lowBalanceCents, daysLeft });
	if (!reason) return [];
	return [{ reseller, reason, balance: ownCents, low_balance: lowBalanceCents, held: heldCents, days_left: daysLeft }];
}

function reasonOf({
	ownCents,
	lowBalanceCents,
	daysLeft,
}: Pick<Holdings, 'ownCents' | 'lowBalanceCents'> & { readonly daysLeft: number | null }):
	| LowReseller['reason']
	| undefined {
	if (ownCents <= 0) return 'out';
	if (lowBalanceCents !== null && ownCents < lowBalanceCents) return 'below';
	return daysLeft !== null && daysLeft < WEEK_DAYS ? 'short' : undefined;
}
