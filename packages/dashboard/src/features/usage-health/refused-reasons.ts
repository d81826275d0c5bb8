import type { UsageHealthDay } from '@bursar/contract/dashboard';

interface RefusedReason {
	readonly reason: string;
	readonly reports: number;
}

/** How many reports of these days were refused for each reason, the most frequent one first. */
export function refusedReasons(days: readonly Pick<UsageHealthDay, 'refused'>[]): readonly RefusedReason[] {
	const sums = new Map<string, number>();
	for (const { refused } of days) {
		for (const [reason, reports] of Object.entries(refused)) sums.set(reason, (sums.get(reason) ?? 0) + reports);
	}
	return [...sums]
		.map(([reason, reports]) => ({ reason, reports }))
		.filter(({ reports }) => reports > 0)
		.toSorted((one, other) => other.reports - one.reports || (one.reason < other.reason ? -1 : 1));
}
