import { normalizeUsername } from '@bursar/contract/username';
import { OPERATORS } from '../../../store/reading.ts';
import type { SortedAccount } from '../../../store/tables/accounts/sub-users.ts';
import { findReseller, findSubUser } from '../business/accounts.ts';
import { readPairState, readPairStates } from '../business/pair-states.ts';
import { accountView } from '../business/sub-user-details.ts';
import type { Calls } from '../calls/calls.ts';
import { readPage, readSearch, sortOf } from '../calls/list-page.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** What operators see of the business of a reseller: its sub-users, without their keys. */
export function resellerBusinessRoutes(
	calls: Calls,
	dependencies: Pick<DashboardDependencies, 'store' | 'accounts' | 'nowMs'>,
): void {
	const { store, accounts, nowMs } = dependencies;

	calls.read('/operator/sub-users', async (query) => {
		const { reseller: typedName, search = '', order = 'name', state, ...position } = query;
		const atMs = nowMs();
		const account = await findReseller(accounts, typedName);
		if (!account) return { refused: 'unknown_reseller' };
		const text = readSearch(search);
		const { by, descends } = sortOf<keyof typeof VALUES>(order);
		const page = await readPage<SortedAccount>(position, {
			byName: by === 'name',
			valueOfRow: (row) => VALUES[by](row),
			async list(after, backwards, limit) {
				if (text === undefined) return [];
				return store.listSubUsersBy({
					reseller: account.username,
					search: { text, match: 'beginning' },
					inState: state && { state, atMs },
					by,
					descends: descends !== backwards,
					after,
					limit,
					owner: OPERATORS,
				});
			},
		});
		if (!page) return { refused: 'invalid_query' };
		const usernames = page.rows.map(({ username }) => username);
		const states = await readPairStates(store, { reseller: account.username, usernames, atMs, owner: OPERATORS });
		const subUsers = page.rows.flatMap(({ username, balanceCents, createdAtMs }) => {
			const found = states.get(username);
			return found ? [{ username, balance: balanceCents, state: found, created: time(createdAtMs) }] : [];
		});
		return { data: { sub_users: subUsers, next: page.next, previous: page.previous } };
	});

	calls.read('/operator/sub-user', async ({ reseller: typedReseller, username: typedName }) => {
		const reseller = normalizeUsername(typedReseller);
		const username = normalizeUsername(typedName);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_account' };
		const [subUser, details, state] = await Promise.all([
			findSubUser(accounts, reseller, username, OPERATORS),
			accounts.findDetails(reseller, username, OPERATORS),
			readPairState(store, { reseller, username, atMs: nowMs(), owner: OPERATORS }),
		]);
		if (subUser && details && state) return { data: { ...accountView(subUser, details, state), deleted: null } };
		const deletion = await store.findDeletion(reseller, username, OPERATORS);
		if (!deletion) return { refused: 'unknown_account' };
		return { data: { username, created: time(deletion.createdAtMs), deleted: time(deletion.deletedAtMs) } };
	});
}

const VALUES = {
	name: () => 0,
	balance: ({ balanceCents }: SortedAccount) => balanceCents,
	created: ({ createdAtMs }: SortedAccount) => createdAtMs,
};
