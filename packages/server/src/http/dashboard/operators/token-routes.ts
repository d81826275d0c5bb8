import { newOperatorToken, newTokenId } from '../../../credentials.ts';
import { parseTimestamp } from '../../../domain/usage-report.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface TokenDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'operatorUrl'> {
	readonly sessions: Sessions;
}

/** The tokens of programs of the operator. */
export function operatorTokenRoutes(calls: Calls, { store, bank, operatorUrl, sessions }: TokenDependencies): void {
	calls.read('/operator/tokens', async () => {
		const tokens = (await store.listOperatorTokens()).map((token) => ({
			...{ name: token.name, scopes: token.scopes, tail: token.tail, made: time(token.madeAtMs) },
			...{ made_by: token.madeBy, expires: time(token.expiresAtMs), last_used: timeOrNull(token.lastUsedAtMs) },
		}));
		return { data: { tokens, api_url: operatorUrl() ?? null } };
	});

	// The answer is the only place where the token ever stands in the clear.
	calls.change('/operator/tokens/create', async ({ act, name, scopes, expires_at }, call) => {
		const endsAtMs = parseTimestamp(expires_at);
		if (endsAtMs === undefined) return { refused: 'invalid_token' };
		const { token, ...made } = newOperatorToken();
		const outcome = await bank.changePerson({
			...{ kind: 'create_operator_token', id: newTokenId(), ...made, name, scopes, endsAtMs },
			madeBy: call.caller.record.person.email,
			by: ownChange(call, sessions, { act, kind: 'create_operator_token', target: name }),
		});
		return outcome.ok ? { data: { token } } : refusedBy(outcome);
	});

	calls.change('/operator/tokens/end', async ({ act, name }, call) => {
		const by = ownChange(call, sessions, { act, kind: 'end_operator_token', target: name });
		const outcome = await bank.changePerson({ kind: 'end_operator_token', name, by });
		return outcome.ok ? { data: {} } : refusedBy(outcome);
	});
}
