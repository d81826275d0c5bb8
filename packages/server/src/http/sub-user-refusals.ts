import type { SubUserDetails } from '@bursar/contract';
import type { RefusalsForReason } from '@bursar/contract/dashboard';
import { type RefusedOnEdge, refusalsByReason } from '../domain/account-refusals.ts';
import { firstKeptHour } from '../domain/usage-hours.ts';
import type { RefusalReads } from '../store/tables/refusals/reads.ts';

/** What proxies refused of an account by reason, the last one first. `owner`: of the read. */
export async function readRefusals(
	store: RefusalReads,
	{ owner, username, nowMs }: { readonly owner: string; readonly username: string; readonly nowMs: number },
): Promise<readonly RefusedOnEdge[]> {
	return refusalsByReason(await store.listRefusals({ owner, usernames: [username], firstHour: firstKeptHour(nowMs) }));
}

/** As programs of resellers see it. */
export function refusalsView(refusals: readonly RefusedOnEdge[]): Pick<SubUserDetails, 'last_refusal' | 'refusals'> {
	const [last] = refusals;
	return {
		last_refusal: last
			? { at: new Date(last.atMs).toISOString(), edge: last.edge, reason: last.reason, network: last.network }
			: null,
		refusals: refusals.map(({ reason, count }) => ({ reason, count })),
	};
}

/** As people see it. */
export function refusalsForPeople(refusals: readonly RefusedOnEdge[]): readonly RefusalsForReason[] {
	return refusals.map(({ reason, count, atMs, edge, network }) => ({
		reason,
		count,
		at: new Date(atMs).toISOString(),
		edge,
		network,
	}));
}
