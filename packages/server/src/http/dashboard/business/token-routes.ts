import type { NewToken } from '@bursar/contract/dashboard';
import { newToken } from '../../../credentials.ts';
import type { RevokeToken, RotateToken } from '../../../domain/command.ts';
import { type PersonsQuestion, type Reply, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readTokenState, stateWithNewToken } from './token-state.ts';

interface TokenDependencies
	extends Pick<DashboardDependencies, 'store' | 'bank' | 'forgetTokens' | 'nowMs' | 'publicUrl'> {
	readonly sessions: Sessions;
}

type TokenChange = Pick<RotateToken, 'kind' | 'overlapMs'> | Pick<RevokeToken, 'kind'>;

/** The reseller's tokens. The session says which reseller's. */
export function tokenRoutes(calls: Calls, dependencies: TokenDependencies): void {
	calls.read('/token', { role: 'reseller' }, async (_query, question) => ({
		data: await readTokenState(resellerOf(question), dependencies),
	}));
	calls.change('/token/rotate', { role: 'reseller' }, async ({ act, overlap_seconds }, question) =>
		replaceToken(question, act, { kind: 'rotate_token', overlapMs: overlap_seconds * 1000 }, dependencies),
	);
	calls.change('/token/end-all', { role: 'reseller' }, async ({ act }, question) =>
		replaceToken(question, act, { kind: 'revoke_token' }, dependencies),
	);
}

/** The answer is the only place where the new token ever stands in the clear. */
async function replaceToken(
	question: PersonsQuestion,
	actId: string,
	change: TokenChange,
	dependencies: TokenDependencies,
): Promise<Reply<NewToken>> {
	const { bank, forgetTokens, sessions } = dependencies;
	const reseller = resellerOf(question);
	const { email } = question.asker.record.person;
	const { token, ...made } = newToken();
	const kind = change.kind === 'rotate_token' ? 'rotate_token' : 'end_all_tokens';
	const { act } = ownChange(question, sessions, { act: actId, kind, target: made.tokenTail });
	const requestId = question.request.id;
	const outcome = await bank.submit({ ...change, reseller, requestId, act, ...made, madeBy: email });
	if (!outcome.ok) return refusedBy(outcome);
	forgetTokens();
	return { data: { token, state: await stateWithNewToken(reseller, { ...made, madeBy: email }, dependencies) } };
}
