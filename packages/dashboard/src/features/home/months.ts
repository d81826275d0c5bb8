import type { MoneyDay } from '@bursar/contract/dashboard';

/** What came in a month so far, and in the same days of the month before, in USD cents. */
interface MonthSums {
	readonly current: number;
	readonly previous: number;
}

/** Adds up days by UTC month. The last day is today. If the month before was shorter, all of it is compared. */
export function monthSums(days: readonly MoneyDay[], centsOf: (day: MoneyDay) => number): MonthSums {
	const today = days.at(-1)?.date ?? '';
	const [month, date] = [today.slice(0, 7), today.slice(8, 10)];
	const before = new Date(`${month}-01T00:00:00.000Z`);
	before.setUTCMonth(before.getUTCMonth() - 1);
	const previousMonth = before.toISOString().slice(0, 7);
	const sum = (found: readonly MoneyDay[]) => found.reduce((cents, day) => cents + centsOf(day), 0);
	return {
		current: sum(days.filter((day) => day.date.startsWith(month))),
		previous: sum(days.filter((day) => day.date.startsWith(previousMonth) && day.date.slice(8, 10) <= date)),
	};
}

/** What operators earn on a day. */
export function incomeOf({ bandwidth, fees }: MoneyDay): number {
	return bandwidth + fees;
}
