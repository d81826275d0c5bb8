import type { MovementKind, MovementTotal, PeriodSummary } from '@bursar/contract/dashboard';
import { MAX_PERIODS, MOVEMENT_KINDS } from '@bursar/contract/dashboard';
import { type DayRange, instantsOf } from '../../format/days.ts';
import { daysOfMonth, monthAfter, monthOf } from '../../format/months.ts';

/** Before the first movement that there can be, and after the last one. */
const BEGINNING = new Date(0).toISOString();
const END = new Date(8.64e15).toISOString();

/** Where a range of days begins and ends, for the service. */
export function boundsOf(range: DayRange): readonly string[] {
	const { from = BEGINNING, to = END } = instantsOf(range);
	return [from, to];
}

/** The months up to this one whose balances are shown together, the oldest first. */
export function monthsUpTo(month: string): readonly string[] {
	return Array.from({ length: MAX_PERIODS }, (_, index) => monthAfter(month, index + 1 - MAX_PERIODS));
}

/** Where these months, each after the other, begin and end. */
export function boundsOfMonths(months: readonly string[]): readonly string[] {
	const ends = months.map((month) => boundsOf(daysOfMonth(month)));
	return [...ends.map(([from = BEGINNING]) => from), ends.at(-1)?.[1] ?? END];
}

/** The periods that have a name. */
export const NAMED_PERIODS = ['all', 'this_month', 'last_month'] as const;
export type NamedPeriod = (typeof NAMED_PERIODS)[number];

export function rangeOf(
	period: NamedPeriod,
	nowMs: number,
): { readonly [Name in keyof Required<DayRange>]: string | undefined } {
	if (period === 'all') return { from: undefined, to: undefined };
	return daysOfMonth(monthAfter(monthOf(nowMs), period === 'this_month' ? 0 : -1));
}

/** The name of a range; `undefined` if it has none. */
export function periodOf({ from, to }: DayRange, nowMs: number): NamedPeriod | undefined {
	return NAMED_PERIODS.find((period) => {
		const range = rangeOf(period, nowMs);
		return range.from === from && range.to === to;
	});
}

/** What a kind of movements did to the balance of the reseller. */
export function amountOf({ totals }: PeriodSummary, kind: MovementKind): number {
	return ownTotals(totals)
		.filter((total) => total.kind === kind)
		.reduce((sum, { amount }) => sum + amount, 0);
}

/** The totals of movements that changed the balance of the reseller itself, in the order of the kinds. */
export function ownTotals(totals: readonly MovementTotal[]): readonly MovementTotal[] {
	return totals
		.filter(({ of }) => of === 'balance')
		.toSorted((one, other) => MOVEMENT_KINDS.indexOf(one.kind) - MOVEMENT_KINDS.indexOf(other.kind));
}

/** The totals of a sub-user: what it got, what was taken from it, and what it paid for bandwidth. */
export function subUserTotals(totals: readonly MovementTotal[]): readonly MovementTotal[] {
	return (['give', 'take', 'usage'] as const).flatMap((kind) => totals.filter((total) => total.kind === kind));
}

/** All of them together. */
export function sumOf(totals: readonly MovementTotal[]): { readonly count: number; readonly amount: number } {
	return totals.reduce((sum, { count, amount }) => ({ count: sum.count + count, amount: sum.amount + amount }), {
		count: 0,
		amount: 0,
	});
}
