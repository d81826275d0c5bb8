import type { Income } from '@bursar/contract/dashboard';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import { createReadCache } from '../business/read-cache.ts';
import type { Calls } from '../calls/calls.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** @bound Resellers that the page of income shows: the rest is left out. */
const RESELLERS_SHOWN = 50;

/** What bandwidth earns, for operators. */
export function operatorIncomeRoutes(
	calls: Calls,
	{ store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>,
): void {
	const readIncome = createReadCache<Income, number>({
		nowMs,
		async read(_owner, days, readAtMs) {
			const lastDay = usageDayOf(readAtMs);
			const span = { firstDay: lastDay - (days - 1), lastDay };
			const [found, resellers] = await Promise.all([
				store.listIncomeDays(span),
				store.listIncomeOfResellers({ ...span, limit: RESELLERS_SHOWN }),
			]);
			const costs = new Map(found.map(({ day, costCents }) => [day, costCents]));
			return {
				days: Array.from({ length: days }, (_, index) => {
					const day = span.firstDay + index;
					return { date: time(startOfDayMs(day)), cost: costs.get(day) ?? 0 };
				}),
				resellers: resellers.map(({ reseller, costCents, debtCents }) => {
					return { reseller, cost: costCents, debt: debtCents };
				}),
			};
		},
	});

	calls.read('/operator/income', async ({ days }) => ({ data: await readIncome('', days) }));
}
