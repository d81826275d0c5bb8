import type { PaidUsage } from '@bursar/contract/dashboard';

const HOUR_MS = 3_600_000;

/**
 * The first and the last UTC day on which bandwidth was used that was posted at a time. A day is posted soon after it ends, so
 * what is posted in the first hour of a day was used before.
 */
export function usageDays(usage: readonly PaidUsage[], at: string): { readonly first: string; readonly last: string } {
	const since = Math.min(...usage.map((paid) => Date.parse(paid.since)));
	const first = dayOf(since);
	return { first, last: dayOf(Math.max(since, Date.parse(at) - HOUR_MS)) };
}

function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
