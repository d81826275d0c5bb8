import { MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { normalizeUsername } from '@bursar/contract/username';
import { pairStateOf } from '../../../domain/pair-state.ts';
import type { SubUserQuery } from '../../../store/tables/accounts/sub-users.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { readPosition, sortOf } from '../calls/list-page.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { readSubUserDetails } from './sub-user-details.ts';
import { lastDays, nameSearch, readSubUserPage } from './sub-user-page.ts';
import { subUsersFile } from './sub-users-file.ts';

type SubUserDependencies = Pick<DashboardDependencies, 'store' | 'accounts' | 'nowMs'>;

/** Lists and shows the sub-users of a reseller. */
export function subUserRoutes(calls: Calls, dependencies: SubUserDependencies): void {
	const { store, accounts, nowMs } = dependencies;
	const usageSpan = () => lastDays(nowMs());

	calls.read('/sub-users', (query, call) => readSubUserPage(dependencies, { reseller: resellerOf(call) }, query));

	calls.read('/sub-users/count', async ({ order = 'name', first, state, ...wanted }, call) => {
		const reseller = resellerOf(call);
		const search = nameSearch(wanted, { inNotes: true });
		const { by, descends } = sortOf<SubUserQuery['by']>(order);
		const after = first === undefined ? undefined : readPosition(first, by === 'name');
		if (first !== undefined && !after) return { refused: 'invalid_query' };
		if (!search) return { data: { count: 0, before: 0 } };
		const inState = state && { state, atMs: nowMs() };
		const query = { reseller, search, inState, by, used: usageSpan(), descends, after };
		const before = after ? await store.countSubUsersBefore(query) : 0;
		return { data: { count: await store.countSubUsers(reseller, search, inState), before } };
	});

	calls.read('/sub-users/states', async (_query, call) => ({
		data: await store.countSubUserStates(resellerOf(call), nowMs()),
	}));

	calls.read('/sub-users/names', async ({ state, ...wanted }, call) => {
		const reseller = resellerOf(call);
		const search = nameSearch(wanted, { inNotes: true });
		if (!search) return { data: { usernames: [], has_more: false } };
		const inState = state && { state, atMs: nowMs() };
		const rows = { reseller, search, inState, by: 'name', descends: false } as const;
		const found = await store.listSubUsersBy({ ...rows, limit: MOST_AT_ONCE + 1 });
		const usernames = found.slice(0, MOST_AT_ONCE).map(({ username }) => username);
		return { data: { usernames, has_more: found.length > MOST_AT_ONCE } };
	});

	calls.change('/sub-users/look', async ({ usernames: typed }, call) => {
		const reseller = resellerOf(call);
		const usernames = [...new Set(typed.map(normalizeUsername).filter((name) => name !== undefined))];
		const atMs = nowMs();
		const [found, deleted] = await Promise.all([
			store.readPairBounds({ reseller, usernames, atMs }),
			store.findDeletedNames(reseller, usernames),
		]);
		const own = found.has(reseller) ? [reseller] : [];
		const subUsers = [...found].filter(([username]) => username !== reseller);
		return {
			data: {
				sub_users: subUsers.map(([username, { liveCents, ...pair }]) => ({
					...{ username, balance: liveCents, state: pairStateOf(pair, atMs) },
				})),
				used: [...own, ...deleted],
			},
		};
	});

	calls.read('/sub-users/name', async ({ username: typedName }, call) => {
		const reseller = resellerOf(call);
		const username = normalizeUsername(typedName);
		if (username === undefined) return { data: { own: null } };
		if (await accounts.findAccount(reseller, username)) return { data: { own: 'taken' } };
		return { data: { own: (await store.findDeletion(reseller, username)) ? 'deleted' : null } };
	});

	calls.read('/sub-user', async ({ username }, call) => {
		const details = await readSubUserDetails(dependencies, resellerOf(call), username);
		return details ? { data: details } : { refused: 'unknown_sub_user' };
	});

	calls.file('/sub-users.csv', async ({ zone }, call) => {
		return { data: subUsersFile(dependencies, { reseller: resellerOf(call), zone }) };
	});
}
