import type { Income } from '@bursar/contract/dashboard';

/** A row of the table, in USD cents. */
export interface IncomeRow {
	readonly key: string;
	/** A reseller, so many others together, the fees of all, or everything. */
	readonly of: { readonly reseller: string } | { readonly others: number } | { readonly sum: 'fees' | 'all' };
	/** What it brings. */
	readonly cents: number;
	readonly debt: number;
}

/** The bandwidth of resellers, of all others if there are some, the fees of all, and the sum: the income of the days. */
export function incomeRows({ days, resellers, others }: Income): readonly IncomeRow[] {
	const { fees } = incomeSums(days);
	const rows: readonly IncomeRow[] = [
		...resellers.map(({ reseller, cost, debt }) => ({ key: `of ${reseller}`, of: { reseller }, cents: cost, debt })),
		...(others.count === 0
			? []
			: [{ key: 'others', of: { others: others.count }, cents: others.cost, debt: others.debt }]),
		...(fees === 0 ? [] : [{ key: 'fees', of: { sum: 'fees' as const }, cents: fees, debt: 0 }]),
	];
	const sum = (of: 'cents' | 'debt') => rows.reduce((cents, row) => cents + row[of], 0);
	return [...rows, { key: 'all', of: { sum: 'all' }, cents: sum('cents'), debt: sum('debt') }];
}

/** What came in on the days, in USD cents. */
export function incomeSums(days: Income['days']) {
	const sum = (of: 'cost' | 'fees' | 'top_ups') => days.reduce((cents, day) => cents + day[of], 0);
	return { bandwidth: sum('cost'), fees: sum('fees'), topUps: sum('top_ups') };
}
