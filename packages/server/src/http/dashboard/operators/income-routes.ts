import type { Income, ShownDays } from '@bursar/contract/dashboard';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import { createReadCache } from '../business/read-cache.ts';
import type { Calls } from '../calls/calls.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type ReadLedgerDays, sumOfKind } from './ledger-days.ts';

/** @bound Resellers that the page of income shows: the rest is one row. */
const RESELLERS_SHOWN = 50;

interface IncomeDependencies extends Pick<DashboardDependencies, 'store' | 'nowMs'> {
	readonly readLedgerDays: ReadLedgerDays;
}

/** What operators earn. */
export function operatorIncomeRoutes(calls: Calls, { store, readLedgerDays, nowMs }: IncomeDependencies): void {
	const readIncome = createReadCache<Income, ShownDays>({
		nowMs,
		async read(_owner, days, readAtMs) {
			const lastDay = usageDayOf(readAtMs);
			const dayCount = days === 'month' ? new Date(readAtMs).getUTCDate() : days;
			const span = { firstDay: lastDay - (dayCount - 1), lastDay };
			// A day is added up together with the one before.
			const ledgerDays = await readLedgerDays(Math.min(span.firstDay, lastDay - 1), lastDay);
			const { days: found, resellers, count, debtCents } = await store.readIncome({ ...span, limit: RESELLERS_SHOWN });
			const costs = new Map(found.map(({ day, costCents }) => [day, costCents]));
			return {
				as_of: time(readAtMs),
				days: ledgerDays
					.filter(({ day }) => day >= span.firstDay)
					.map((day) => ({
						date: time(startOfDayMs(day.day)),
						cost: costs.get(day.day) ?? 0,
						fees: sumOfKind(day, 'create_fee'),
						top_ups: sumOfKind(day, 'top_up'),
					})),
				resellers: resellers.map(({ reseller, costCents, debtCents: debt }) => ({ reseller, cost: costCents, debt })),
				others: {
					count: count - resellers.length,
					cost: sumOf(found.map(({ costCents }) => costCents)) - sumOf(resellers.map(({ costCents }) => costCents)),
					debt: debtCents - sumOf(resellers.map((each) => each.debtCents)),
				},
			};
		},
	});

	calls.read('/operator/income', async ({ days }) => ({ data: await readIncome('', days) }));
}

function sumOf(cents: readonly number[]): number {
	return cents.reduce((sum, each) => sum + each, 0);
}
