import type { Income } from '@bursar/contract/dashboard';

/** A row of the table, in USD cents. */
export interface IncomeRow {
	readonly key: string;
	/** A reseller, so many others together, or all of them. */
	readonly of: { readonly reseller: string } | { readonly others: number } | { readonly all: true };
	readonly cost: number;
	readonly debt: number;
}

/** The resellers, then all others if there are some, and what all have together. */
export function incomeRows({ resellers, others }: Income): readonly IncomeRow[] {
	const rows: readonly IncomeRow[] = [
		...resellers.map(({ reseller, ...amounts }) => ({ key: `of ${reseller}`, of: { reseller }, ...amounts })),
		...(others.count === 0
			? []
			: [{ key: 'others', of: { others: others.count }, cost: others.cost, debt: others.debt }]),
	];
	const sum = (of: 'cost' | 'debt') => rows.reduce((cents, row) => cents + row[of], 0);
	return [...rows, { key: 'all', of: { all: true }, cost: sum('cost'), debt: sum('debt') }];
}

/** What came in on the days, in USD cents. */
export function incomeSums(days: Income['days']) {
	const sum = (of: 'cost' | 'fees' | 'top_ups') => days.reduce((cents, day) => cents + day[of], 0);
	return { bandwidth: sum('cost'), fees: sum('fees'), topUps: sum('top_ups') };
}
