import { type FoundByOperator, SEARCH_HITS } from '@bursar/contract/dashboard';
import { isMovementReference } from '@bursar/contract/reference';
import { usageHourOf } from '../../../domain/usage-hours.ts';
import { OPERATORS } from '../../../store/reading.ts';
import { refusalsForPeople } from '../../sub-user-refusals.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The search over everything that the caller may see. An empty text finds nothing. */
export function searchRoutes(calls: Calls, { store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>): void {
	calls.read('/search', async ({ text: typed }, call) => {
		const text = typed.trim().toLowerCase();
		if (text === '') return { data: { sub_users: [], people: [], references: [] } };
		const reseller = resellerOf(call);
		const reference = typed.trim();
		const [found, team, isReference] = await Promise.all([
			store.searchSubUsers(reseller, text, SEARCH_HITS),
			store.listPeopleOf(reseller, reseller),
			isMovementReference(reference) && store.hasReference(reseller, reference),
		]);
		const people = team.map(({ email }) => email).filter((email) => email.includes(text));
		return {
			data: {
				sub_users: found.map(({ username, note }) => ({ username, note: note ?? '' })),
				people: people.slice(0, SEARCH_HITS),
				references: isReference ? [reference] : [],
			},
		};
	});

	calls.read('/operator/search', async ({ text: typed }) => {
		const text = typed.trim().toLowerCase();
		if (text === '') return { data: { resellers: [], sub_users: [], people: [], edges: [], references: [] } };
		const reference = typed.trim();
		const [resellers, subUsers, people, edges, ofReference] = await Promise.all([
			store.listResellersBy({ search: text, by: 'name', descends: false, limit: SEARCH_HITS }),
			store.searchAllSubUsers(text, SEARCH_HITS),
			store.searchPeople(text, SEARCH_HITS),
			store.listEdges(),
			isMovementReference(reference) ? store.listResellersWithReference(reference, SEARCH_HITS) : [],
		]);
		const edgeNames = edges.map(({ name }) => name).filter((name) => name.includes(text));
		return {
			data: {
				resellers: resellers.map(({ username }) => username),
				sub_users: await withRefusals(subUsers),
				people,
				edges: edgeNames.slice(0, SEARCH_HITS),
				references: ofReference.map((reseller) => ({ reference, reseller })),
			},
		};
	});

	/** A customer who complains was lately refused. So the hit says it. */
	async function withRefusals(
		found: readonly { readonly username: string; readonly reseller: string }[],
	): Promise<FoundByOperator['sub_users']> {
		const sinceMs = nowMs() - DAY_MS;
		const usernames = found.map(({ username }) => username);
		const hours = await store.listRefusals({ owner: OPERATORS, usernames, firstHour: usageHourOf(sinceMs) });
		return found.map((subUser) => {
			const own = hours.filter(({ username, atMs }) => username === subUser.username && atMs >= sinceMs);
			// The last one comes first.
			const [last] = refusalsForPeople(own.slice(0, 1));
			return { ...subUser, refused: last ? { at: last.at, edge: last.edge, reason: last.reason } : null };
		});
	}
}

const DAY_MS = 86_400_000;
