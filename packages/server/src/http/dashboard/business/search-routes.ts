import { SEARCH_HITS } from '@bursar/contract/dashboard';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The search over everything that the caller may see. An empty text finds nothing. */
export function searchRoutes(calls: Calls, { store }: Pick<DashboardDependencies, 'store'>): void {
	calls.read('/search', async ({ text: typed }, call) => {
		const text = typed.trim().toLowerCase();
		if (text === '') return { data: { sub_users: [], people: [] } };
		const reseller = resellerOf(call);
		const [found, team] = await Promise.all([
			store.searchSubUsers(reseller, text, SEARCH_HITS),
			store.listPeopleOf(reseller, reseller),
		]);
		const people = team.map(({ email }) => email).filter((email) => email.includes(text));
		return {
			data: {
				sub_users: found.map(({ username, note }) => ({ username, note: note ?? '' })),
				people: people.slice(0, SEARCH_HITS),
			},
		};
	});

	calls.read('/operator/search', async ({ text: typed }) => {
		const text = typed.trim().toLowerCase();
		if (text === '') return { data: { resellers: [], sub_users: [], people: [], edges: [] } };
		const [resellers, sub_users, people, edges] = await Promise.all([
			store.listResellersBy({ search: text, by: 'name', descends: false, limit: SEARCH_HITS }),
			store.searchAllSubUsers(text, SEARCH_HITS),
			store.searchPeople(text, SEARCH_HITS),
			store.listEdges(),
		]);
		const edgeNames = edges.map(({ name }) => name).filter((name) => name.includes(text));
		return {
			data: {
				resellers: resellers.map(({ username }) => username),
				sub_users,
				people,
				edges: edgeNames.slice(0, SEARCH_HITS),
			},
		};
	});
}
