import type { ListedEdge } from '@bursar/contract/dashboard';

const MINUTE_MS = 60_000;

/** Whether an edge was seen in the last minute, but its newest report is more than a minute older than that. */
export function isQuiet({ created, revoked, last_seen, reported_to }: ListedEdge, nowMs: number): boolean {
	if (revoked !== null || last_seen === null) return false;
	const seenAtMs = Date.parse(last_seen);
	return nowMs - seenAtMs <= MINUTE_MS && seenAtMs - Date.parse(reported_to ?? created) > MINUTE_MS;
}
