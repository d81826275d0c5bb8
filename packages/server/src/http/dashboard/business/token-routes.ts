import type { NewToken } from '@bursar/contract/dashboard';
import type { RevokeToken, RotateToken } from '../../../commands/tokens/rotate-revoke.ts';
import { newToken } from '../../../credentials.ts';
import { type PersonCall, type Reply, resellerOf } from '../calls/call.ts';
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
	calls.read('/token', async (_query, call) => ({
		data: await readTokenState(resellerOf(call), dependencies),
	}));
	calls.change('/token/rotate', async ({ act, overlap_seconds }, call) =>
		replaceToken(call, act, { kind: 'rotate_token', overlapMs: overlap_seconds * 1000 }, dependencies),
	);
	calls.change('/token/end-all', async ({ act }, call) =>
		replaceToken(call, act, { kind: 'revoke_token' }, dependencies),
	);
}

/** The answer is the only place where the new token ever stands in the clear. */
async function replaceToken(
	call: PersonCall,
	actId: string,
	change: TokenChange,
	dependencies: TokenDependencies,
): Promise<Reply<NewToken>> {
	const { bank, forgetTokens, sessions } = dependencies;
	const reseller = resellerOf(call);
	const { email } = call.caller.record.person;
	const { token, ...made } = newToken();
	const kind = change.kind === 'rotate_token' ? 'rotate_token' : 'end_all_tokens';
	const { act } = ownChange(call, sessions, { act: actId, kind, target: made.tokenTail });
	const requestId = call.request.id;
	const outcome = await bank.submit({ ...change, reseller, requestId, act, ...made, madeBy: email });
	if (!outcome.ok) return refusedBy(outcome);
	forgetTokens();
	return { data: { token, state: await stateWithNewToken(reseller, { ...made, madeBy: email }, dependencies) } };
}
