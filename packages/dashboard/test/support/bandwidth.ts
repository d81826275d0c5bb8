import type { Bandwidth, BandwidthSpan, TopSubUsers } from '@bursar/contract/dashboard';

/** An answer with these spans, of days unless it is said otherwise. */
export function bandwidthOf(
	spans: readonly (Omit<BandwidthSpan, 'cost'> & { readonly cost?: number | null })[],
	changes: Partial<Bandwidth> = {},
): Bandwidth {
	return {
		as_of: '2026-05-03T00:00:00.000Z',
		unit: 'day',
		spans: spans.map((span) => ({ cost: 0, ...span })),
		goes_on: true,
		before: null,
		comparison: null,
		parts: [],
		corrections: [],
		hours_since: null,
		...changes,
	};
}

export const NO_TOP: TopSubUsers = {
	as_of: '2026-05-03T00:00:00.000Z',
	sub_users: [],
	others: { up: 0, down: 0, cost: null, sub_users: 0 },
};
