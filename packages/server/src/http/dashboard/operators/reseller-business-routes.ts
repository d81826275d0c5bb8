import { normalizeUsername } from '@bursar/contract/username';
import { OPERATORS } from '../../../store/reading.ts';
import { readRefusals } from '../../sub-user-refusals.ts';
import { findReseller, findSubUser } from '../business/accounts.ts';
import { readPairState } from '../business/pair-states.ts';
import { accountView } from '../business/sub-user-details.ts';
import { readSubUserPage } from '../business/sub-user-page.ts';
import type { Calls } from '../calls/calls.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** What operators see of the business of a reseller: its sub-users, without their keys. */
export function resellerBusinessRoutes(
	calls: Calls,
	dependencies: Pick<DashboardDependencies, 'store' | 'accounts' | 'nowMs'>,
): void {
	const { store, accounts, nowMs } = dependencies;

	calls.read('/operator/sub-users', async ({ reseller: typedName, ...query }) => {
		const account = await findReseller(accounts, typedName);
		if (!account) return { refused: 'unknown_reseller' };
		return readSubUserPage(dependencies, { reseller: account.username, owner: OPERATORS }, query);
	});

	calls.read('/operator/sub-user', async ({ reseller: typedReseller, username: typedName }) => {
		const reseller = normalizeUsername(typedReseller);
		const username = normalizeUsername(typedName);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_account' };
		const atMs = nowMs();
		const [subUser, details, shown, refusals] = await Promise.all([
			findSubUser(accounts, reseller, username, OPERATORS),
			accounts.findDetails(reseller, username, OPERATORS),
			readPairState(store, { reseller, username, atMs, owner: OPERATORS }),
			readRefusals(store, { owner: OPERATORS, username, nowMs: atMs }),
		]);
		if (subUser && details && shown)
			return { data: { ...accountView(subUser, { details, shown, refusals }), deleted: null } };
		const deletion = await store.findDeletion(reseller, username, OPERATORS);
		if (!deletion) return { refused: 'unknown_account' };
		return { data: { username, created: time(deletion.createdAtMs), deleted: time(deletion.deletedAtMs) } };
	});
}
