import { normalizeUsername } from '@bursar/contract/username';
import { newToken } from '../../../credentials.ts';
import { MADE_BY_OPERATOR } from '../../../domain/token.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import { furtherTokensView } from '../../further-token-view.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { refusedBy } from '../refusals.ts';

/** The tokens of resellers. */
export function tokenCalls(
	calls: Calls,
	{ accounts, forgetTokens }: Pick<OperatorDependencies, 'accounts' | 'forgetTokens'>,
): void {
	calls.answer('endTokens', async ({ username }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const { token, ...made } = newToken();
		const outcome = await call.submit({ kind: 'revoke_token', reseller, ...made, madeBy: MADE_BY_OPERATOR });
		if (!outcome.ok) return refusedBy(outcome);
		forgetTokens();
		return { data: { username: reseller, token } };
	});

	calls.answer('viewTokens', async ({ reseller }) => {
		const account = await findReseller(accounts, reseller);
		if (!account) return { refused: 'unknown_reseller' };
		return { data: furtherTokensView(await accounts.listTokens(account.username, PROGRAMS)) };
	});

	calls.answer('endToken', async ({ reseller: typedName, id }, call) => {
		const { username: reseller } = (await findReseller(accounts, typedName)) ?? {};
		if (reseller === undefined) return { refused: 'unknown_token' };
		const outcome = await call.submit({ kind: 'end_token', reseller, id });
		if (!outcome.ok) return refusedBy(outcome);
		forgetTokens();
		return { data: { reseller, id } };
	});
}
