import { normalizeUsername } from '@bursar/contract/username';
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
