import { SEARCH_HITS } from '@bursar/contract/dashboard';
import { isMovementReference } from '@bursar/contract/reference';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The search over everything that the caller may see. An empty text finds nothing. */
export function searchRoutes(calls: Calls, { store }: Pick<DashboardDependencies, 'store'>): void {
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
		const [resellers, sub_users, people, edges, ofReference] = await Promise.all([
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
				sub_users,
				people,
				edges: edgeNames.slice(0, SEARCH_HITS),
				references: ofReference.map((reseller) => ({ reference, reseller })),
			},
		};
	});
}
