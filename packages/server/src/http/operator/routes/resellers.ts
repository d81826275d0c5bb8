import { MAX_OPERATOR_PAGE_ROWS } from '@bursar/contract/limits';
import type { DataOf, operatorOperations } from '@bursar/contract/operator';
import { normalizeUsername } from '@bursar/contract/username';
import { newProxyAuthkey, newToken } from '../../../credentials.ts';
import { MADE_BY_OPERATOR } from '../../../domain/token.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import type { ListedResellerRow } from '../../../store/tables/accounts/resellers.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { refusedBy } from '../refusals.ts';
import { time, timeOrNull } from '../times.ts';

/** The resellers of the platform. */
export function resellerCalls(
	calls: Calls,
	{ accounts, store }: Pick<OperatorDependencies, 'accounts' | 'store'>,
): void {
	// The answers of this and of `endTokens` are the only places where the token ever stands in the clear.
	calls.answer('createReseller', async ({ username }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'invalid_username' };
		const { token, ...made } = newToken();
		const making = { ...made, madeBy: MADE_BY_OPERATOR, proxyAuthkey: newProxyAuthkey(), openingBalanceCents: 0 };
		const outcome = await call.submit({ kind: 'create_reseller', reseller, ...making });
		if (outcome.ok) return { data: { username: reseller, token } };
		const { error } = outcome;
		if (error === 'balance_limit') throw new Error('a balance of 0 was refused as too large');
		return refusedBy({ ...outcome, error });
	});

	calls.answer('viewReseller', async ({ username }) => {
		const account = await findReseller(accounts, username);
		if (!account) return { refused: 'unknown_reseller' };
		const { username: reseller } = account;
		const [debt, price, terms] = await Promise.all([
			accounts.findDebt(reseller, PROGRAMS),
			accounts.findPrice(reseller),
			store.findOwnTerms(reseller, PROGRAMS),
		]);
		if (!debt) throw new Error('a reseller has no account');
		const owed = { debtCents: debt.cents, debtLineCents: debt.lineCents };
		return { data: resellerView({ ...account, ...owed, ...terms, microUsdPerGb: price?.microUsdPerGb ?? null }) };
	});

	calls.answer('viewResellerPage', async ({ after, limit = MAX_OPERATOR_PAGE_ROWS, prefix = '' }) => {
		const rows = await store.listResellersBy({
			owner: PROGRAMS,
			search: prefix.toLowerCase(),
			by: 'name',
			descends: false,
			after: after == null ? undefined : { username: after, value: 0 },
			limit,
		});
		return {
			data: {
				resellers: rows.map(resellerView),
				next: rows.length === limit ? (rows.at(-1)?.username ?? null) : null,
			},
		};
	});

	calls.answer('setResellerNote', async ({ username, note }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await call.submit({ kind: 'note_reseller', reseller, note });
		return outcome.ok ? { data: { username: reseller, note: outcome.note } } : refusedBy(outcome);
	});

	calls.answer('setSignInByAddress', async ({ username, allowed }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await call.submit({ kind: 'allow_sign_in_by_address', reseller, isAllowed: allowed });
		return outcome.ok ? { data: { username: reseller, sign_in_by_address: outcome.isAllowed } } : refusedBy(outcome);
	});

	for (const [name, kind] of [
		['suspendReseller', 'suspend_reseller'],
		['resumeReseller', 'resume_reseller'],
	] as const) {
		calls.answer(name, async ({ username }, call) => {
			const reseller = normalizeUsername(username);
			if (reseller === undefined) return { refused: 'unknown_reseller' };
			const outcome = await call.submit({ kind, reseller });
			return outcome.ok ? { data: { username: reseller, suspended: outcome.isSuspended } } : refusedBy(outcome);
		});
	}
}

function resellerView({
	username,
	balanceCents,
	debtCents,
	debtLineCents,
	microUsdPerGb,
	suspendedAtMs,
	isSignInAllowed,
	note,
	createdAtMs,
}: Omit<ListedResellerRow, 'lastUsedAtMs'>): DataOf<(typeof operatorOperations)['viewReseller']> {
	return {
		username,
		balance: balanceCents,
		...{ debt: debtCents, debt_line: debtLineCents, price: microUsdPerGb },
		suspended_since: timeOrNull(suspendedAtMs),
		sign_in_by_address: isSignInAllowed === 1,
		note,
		date_created: time(createdAtMs),
	};
}
