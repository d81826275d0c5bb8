import { moneyTarget } from '@bursar/contract/dashboard';
import type { DataOf, operatorOperations, RequestOf } from '@bursar/contract/operator';
import { normalizeUsername } from '@bursar/contract/username';
import { newProxyAuthkey, newToken } from '../../../credentials.ts';
import { MADE_BY_OPERATOR } from '../../../domain/token.ts';
import { OPERATORS } from '../../../store/reading.ts';
import type { Call, Calls, Reply } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { refusedBy } from '../refusals.ts';

type Operations = typeof operatorOperations;
type Payment = RequestOf<Operations['creditReseller']>;

/** Resellers, their money and their tokens. */
export function resellerCalls(calls: Calls, dependencies: OperatorDependencies): void {
	const { accounts, store, bank, forgetTokens } = dependencies;

	// The answers of this and of `endTokens` are the only places where the token ever stands in the clear.
	calls.answer('createReseller', async ({ username }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'invalid_username' };
		const { token, ...made } = newToken();
		const outcome = await bank.submit({
			kind: 'create_reseller',
			...asking(call, 'create_reseller', reseller),
			...{ ...made, madeBy: MADE_BY_OPERATOR, proxyAuthkey: newProxyAuthkey(), openingBalanceCents: 0 },
		});
		return outcome.ok ? { data: { username: reseller, token } } : refusedBy(outcome);
	});

	calls.answer('endTokens', async ({ username }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const { token, ...made } = newToken();
		const outcome = await bank.submit({
			kind: 'revoke_token',
			...asking(call, 'end_all_tokens', reseller),
			...{ ...made, madeBy: MADE_BY_OPERATOR },
		});
		if (!outcome.ok) return refusedBy(outcome);
		forgetTokens();
		return { data: { username: reseller, token } };
	});

	calls.answer('viewReseller', async ({ username }) => {
		const reseller = normalizeUsername(username);
		const account = reseller !== undefined && (await accounts.findAccount(reseller, reseller, OPERATORS));
		if (!account) return { refused: 'unknown_reseller' };
		return { data: await resellerView(account.username, account) };
	});

	for (const [name, kind] of [
		['suspendReseller', 'suspend_reseller'],
		['resumeReseller', 'resume_reseller'],
	] as const) {
		calls.answer(name, async ({ username }, call) => {
			const reseller = normalizeUsername(username);
			if (reseller === undefined) return { refused: 'unknown_reseller' };
			const outcome = await bank.submit({ kind, ...asking(call, kind, reseller) });
			return outcome.ok ? { data: { username: reseller, suspended: outcome.isSuspended } } : refusedBy(outcome);
		});
	}

	calls.answer('creditReseller', (body, call) => pay('top_up', body, call));
	calls.answer('takeBack', (body, call) => pay('adjust', body, call));

	async function pay(
		kind: 'top_up' | 'adjust',
		{ username, amount_usd_cents: cents, reference, reason }: Payment,
		call: Call,
	): Promise<Reply<DataOf<Operations['creditReseller']>>> {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await bank.submit({
			kind: 'credit_reseller',
			...asking(call, kind, moneyTarget(reseller, cents), reseller),
			amountCents: kind === 'top_up' ? cents : -cents,
			...{ reference, reason },
		});
		if (!outcome.ok) return refusedBy(outcome);
		return { data: { username: reseller, balance: outcome.balanceCents, repeated: outcome.repeated } };
	}

	async function resellerView(
		reseller: string,
		{ balanceCents, createdAtMs }: { readonly balanceCents: number; readonly createdAtMs: number },
	): Promise<DataOf<Operations['viewReseller']>> {
		const [debt, price, suspendedAtMs] = await Promise.all([
			accounts.findDebt(reseller, OPERATORS),
			accounts.findPrice(reseller),
			store.findSuspension(reseller, OPERATORS),
		]);
		if (!debt) throw new Error('a reseller has no account');
		return {
			username: reseller,
			balance: balanceCents,
			...{ debt: debt.cents, debt_line: debt.lineCents, price: price?.microUsdPerGb ?? null },
			suspended_since: suspendedAtMs === null ? null : new Date(suspendedAtMs).toISOString(),
			date_created: new Date(createdAtMs).toISOString(),
		};
	}
}

/** What a command about a reseller says of the call that gives it. `target`: what is recorded. */
export function asking({ requestId, expiresAtMs, act }: Call, kind: string, target: string, reseller = target) {
	return { reseller, requestId, expiresAtMs, act: act(kind, target) };
}
