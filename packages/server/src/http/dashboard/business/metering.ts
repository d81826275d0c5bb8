import type { Metering, Spending } from '@bursar/contract/dashboard';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import type { MeteringReads } from '../../../store/tables/meters/reads.ts';
import { time } from '../calls/times.ts';
import { type Accounts, readReseller } from './accounts.ts';
import { createReadCache } from './read-cache.ts';

const TOP = 10;
export const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;

interface MeteringDependencies {
	readonly store: Pick<MeteringReads, 'findPrice' | 'sumSpending' | 'listRunningOut' | 'listRanOut'>;
	readonly accounts: Accounts;
	readonly nowMs: () => number;
}

/** How the balances of a reseller fare; `null` if it has no price. */
export function createMetering({ store, accounts, nowMs }: MeteringDependencies) {
	const readKept = createReadCache<Metering, 'week'>({
		nowMs,
		async read(reseller, _variant, readAtMs) {
			const lastDay = usageDayOf(readAtMs);
			const span = { reseller, firstDay: lastDay - (WEEK_DAYS - 1), lastDay };
			const [price, own, sums, runningOut, ranOut] = await Promise.all([
				store.findPrice(reseller),
				readReseller(accounts, reseller),
				store.sumSpending(span),
				store.listRunningOut({ ...span, limit: TOP }),
				store.listRanOut({ ...span, atMs: readAtMs, limit: TOP }),
			]);
			const days = countedDays(price?.meteredSinceMs ?? readAtMs, span.firstDay, readAtMs);
			return {
				as_of: time(readAtMs),
				own: spending(own.balanceCents, sums.ownCostCents, days),
				sub_users: spending(sums.balanceCents, sums.costCents, days),
				running_out: runningOut.map(({ username, balanceCents, costCents }) => ({
					...{ username, ...spending(balanceCents, costCents, days) },
				})),
				ran_out_count: ranOut[0]?.count ?? 0,
				ran_out: ranOut.map(({ username, costCents }) => ({ username, week_cost: costCents })),
			};
		},
	});
	// The price is not kept: it may just have been set.
	return async (reseller: string): Promise<Metering | null> =>
		(await store.findPrice(reseller)) ? readKept(reseller, 'week') : null;
}

/** How many days the cost of a week has grown: not before there was a price, and not after now. A day at least. */
export function countedDays(meteredSinceMs: number, firstDay: number, nowMs: number): number {
	return Math.max(1, (nowMs - Math.max(meteredSinceMs, startOfDayMs(firstDay))) / DAY_MS);
}

export function spending(balanceCents: number, costCents: number, days: number): Spending {
	return {
		balance: balanceCents,
		week_cost: costCents,
		days_left: costCents === 0 ? null : (balanceCents / costCents) * days,
	};
}
