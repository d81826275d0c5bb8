import { normalizeAllowedIps } from '@bursar/contract/allowed-ips';
import { newToken, newTokenId } from '../../../credentials.ts';
import { isFurther } from '../../../domain/token.ts';
import { parseTimestamp } from '../../../domain/usage-report.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface TokenDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'forgetTokens'> {
	readonly sessions: Sessions;
}

/** The further tokens of the reseller. The session says which reseller's. */
export function furtherTokenRoutes(calls: Calls, { store, bank, forgetTokens, sessions }: TokenDependencies): void {
	calls.read('/tokens', async (_query, call) => {
		const tokens = (await store.listTokens(resellerOf(call))).filter(isFurther).map((token) => {
			const { id, name, scopes, allowedIps } = token.further;
			return {
				...{ id, name, scopes, allowed_ips: allowedIps, tail: token.tail, made: time(token.madeAtMs) },
				...{ made_by: token.madeBy, expires: time(token.expiresAtMs), last_used: timeOrNull(token.lastUsedAtMs) },
			};
		});
		return { data: { tokens: tokens.toSorted((one, other) => (one.name < other.name ? -1 : 1)) } };
	});

	// The answer is the only place where the token ever stands in the clear.
	calls.change('/tokens/create', async ({ act: actId, name, scopes, expires_at, allowed_ips }, call) => {
		const endsAtMs = parseTimestamp(expires_at);
		const allowedIps = allowed_ips === null ? null : normalizeAllowedIps(allowed_ips);
		if (endsAtMs === undefined || allowedIps === undefined) return { refused: 'invalid_token' };
		const { token, ...made } = newToken();
		const { act } = ownChange(call, sessions, { act: actId, kind: 'create_token', target: name });
		const outcome = await bank.submit({
			...{ kind: 'create_token', reseller: resellerOf(call), requestId: call.request.id, act, id: newTokenId() },
			...{ ...made, madeBy: call.caller.record.person.email, name, scopes, endsAtMs, allowedIps },
		});
		return outcome.ok ? { data: { token } } : refusedBy(outcome);
	});

	calls.change('/tokens/end', async ({ act: actId, id }, call) => {
		const reseller = resellerOf(call);
		const ended = (await store.listTokens(reseller)).filter(isFurther).find(({ further }) => further.id === id);
		// Once it has ended, its id says nothing to people.
		const { act } = ownChange(call, sessions, { act: actId, kind: 'end_token', target: ended?.further.name ?? id });
		const outcome = await bank.submit({ kind: 'end_token', reseller, requestId: call.request.id, act, id });
		if (!outcome.ok) return refusedBy(outcome);
		forgetTokens();
		return { data: {} };
	});
}
