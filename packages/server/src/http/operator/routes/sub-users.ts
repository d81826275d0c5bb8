import { MAX_OPERATOR_PAGE_ROWS } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { isSubUser } from '../../../domain/account.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import { usableView } from '../../sub-user-limits.ts';
import { readRefusals } from '../../sub-user-refusals.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { listedSubUserView, subUserView } from '../sub-user-view.ts';

/** The sub-users of resellers, without their keys. */
export function subUserCalls(
	calls: Calls,
	{ accounts, nowMs }: Pick<OperatorDependencies, 'accounts' | 'nowMs'>,
): void {
	calls.answer('viewSubUser', async ({ reseller: typedReseller, username: typedName }) => {
		const reseller = normalizeUsername(typedReseller);
		const username = normalizeUsername(typedName);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_sub_user' };
		const atMs = nowMs();
		const [account, details, pairs, refusals] = await Promise.all([
			accounts.findAccount(reseller, username, PROGRAMS),
			accounts.findDetails(reseller, username, PROGRAMS),
			accounts.readPairBounds({ reseller, usernames: [username], atMs, owner: PROGRAMS }),
			readRefusals(accounts, { owner: PROGRAMS, username, nowMs: atMs }),
		]);
		// Without one of them, it was deleted meanwhile.
		const bounds = pairs.get(username);
		if (!account || !isSubUser(account) || !details || !bounds) return { refused: 'unknown_sub_user' };
		return { data: subUserView(account, details, { usable: usableView(bounds, atMs), refusals }) };
	});

	calls.answer(
		'viewSubUserPage',
		async ({ reseller: typedName, after, limit = MAX_OPERATOR_PAGE_ROWS, prefix = '', state }) => {
			const reseller = await findReseller(accounts, typedName);
			if (!reseller) return { refused: 'unknown_reseller' };
			const { subUsers, next } = await accounts.listSubUsersInState({
				...{ reseller: reseller.username, owner: PROGRAMS, state, limit },
				...{ after: after ?? '', prefix: prefix.toLowerCase() },
			});
			return { data: { sub_users: subUsers.map(listedSubUserView), next } };
		},
	);
}
