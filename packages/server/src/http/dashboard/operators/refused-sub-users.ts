import type { PlatformMoney, RefusedByReason } from '@bursar/contract/dashboard';
import type { RefusedCount } from '../../../store/tables/accounts/refused.ts';

/** @bound Resellers whose sub-users are refused that the start page shows: the rest is left out. */
const SHOWN = 10;

/** How many sub-users the proxies refuse and why, and which resellers have most of them. */
export function refusedView(counts: readonly RefusedCount[]): PlatformMoney['refused'] {
	const resellers = Object.entries(Object.groupBy(counts, ({ reseller }) => reseller)).map(([reseller, of = []]) => {
		return { reseller, count: sumOf(of), by_reason: byReason(of) };
	});
	resellers.sort((one, other) => other.count - one.count || (one.reseller < other.reseller ? -1 : 1));
	return { count: sumOf(counts), by_reason: byReason(counts), resellers: resellers.slice(0, SHOWN) };
}

function byReason(counts: readonly RefusedCount[]): RefusedByReason {
	const groups = Object.entries(Object.groupBy(counts, ({ reason }) => reason));
	return Object.fromEntries(groups.map(([reason, of]) => [reason, sumOf(of)]));
}

function sumOf(counts: readonly RefusedCount[]): number {
	return counts.reduce((sum, { subUsers }) => sum + subUsers, 0);
}
