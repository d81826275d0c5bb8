import type { BandwidthDay, BandwidthDays, ShownDays } from '@bursar/contract/dashboard';
import { type Bytes, startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import type { CostDay, DaySpan } from '../../../store/reads/metering-reads.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { CORRECTIONS_SHOWN, correctionView } from './corrections.ts';

interface BandwidthQuery {
	readonly reseller: string;
	/** A sub-user of it. Absent: all its accounts together. */
	readonly username?: string | undefined;
	readonly days: ShownDays;
	/** Whose read it is, if not the reseller's. */
	readonly owner?: string;
}

/** What a reseller, or one of its sub-users, used on the last days. */
export async function readBandwidth(
	{ reseller, username, days, owner = reseller }: BandwidthQuery,
	{ store, accounts, nowMs }: Pick<DashboardDependencies, 'store' | 'accounts' | 'nowMs'>,
): Promise<BandwidthDays> {
	const lastDay = usageDayOf(nowMs());
	const firstDay = lastDay - (days - 1);
	const [used, costs, corrections] = await Promise.all([
		username === undefined
			? store.listResellerUsageDays(reseller, firstDay, lastDay, owner)
			: accounts.listUsageDays(reseller, username, firstDay, lastDay),
		store.listCostDays({ reseller, username, firstDay, lastDay, owner }),
		store.listUsageCorrections({ reseller, username, firstDay, limit: CORRECTIONS_SHOWN, owner }),
	]);
	return { days: daysOf(used, costs, { firstDay, lastDay }), corrections: corrections.map(correctionView) };
}

/** One for each day, also for those without usage. */
export function daysOf(
	used: readonly (Bytes & { readonly day: number })[],
	costs: readonly CostDay[],
	{ firstDay, lastDay }: DaySpan,
): BandwidthDay[] {
	const byDay = new Map(used.map((one) => [one.day, one]));
	const costOf = new Map(costs.map(({ day, costCents }) => [day, costCents]));
	return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => {
		const { bytesUp = 0, bytesDown = 0 } = byDay.get(firstDay + index) ?? {};
		return {
			date: time(startOfDayMs(firstDay + index)),
			up: bytesUp,
			down: bytesDown,
			cost: costOf.get(firstDay + index) ?? 0,
		};
	});
}
