import type { NewToken, TokenState } from '@bursar/contract/dashboard';
import { newToken } from '../../../credentials.ts';
import type { RevokeToken, RotateToken } from '../../../domain/command.ts';
import type { StoredToken } from '../../../store/credential-reads.ts';
import { StoreUnavailableError } from '../../../store/store.ts';
import type { Calls } from '../calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { ownChange } from '../own-change.ts';
import type { PersonsQuestion, Reply } from '../question.ts';
import { TOKEN_REFUSAL_CODES } from '../refusals.ts';
import type { Sessions } from '../sessions.ts';
import { tokenStateView } from '../views.ts';

interface TokenDependencies
	extends Pick<DashboardDependencies, 'store' | 'bank' | 'forgetTokens' | 'nowMs' | 'publicUrl'> {
	readonly sessions: Sessions;
}

type TokenChange = Pick<RotateToken, 'kind' | 'overlapMs'> | Pick<RevokeToken, 'kind'>;

/** The reseller's tokens. The session says which reseller's. */
export function tokenRoutes(calls: Calls, dependencies: TokenDependencies): void {
	calls.read('/token', {}, async ({ asker }) => {
		const { reseller } = asker.record.person;
		if (reseller === null) return { refused: 'not_for_operators' };
		return { data: await readState(reseller, dependencies) };
	});
	calls.change('/token/rotate', {}, async ({ act, overlap_seconds }, question) =>
		replaceToken(question, act, { kind: 'rotate_token', overlapMs: overlap_seconds * 1000 }, dependencies),
	);
	calls.change('/token/end-all', {}, async ({ act }, question) =>
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
	const { bank, forgetTokens, sessions, nowMs } = dependencies;
	const { reseller, email } = question.asker.record.person;
	if (reseller === null) return { refused: 'not_for_operators' };
	const { token, ...made } = newToken();
	const kind = change.kind === 'rotate_token' ? 'rotate_token' : 'end_all_tokens';
	const { act } = ownChange(question, sessions, { act: actId, kind, target: made.tokenTail });
	const requestId = question.request.id;
	const outcome = await bank.submit({ ...change, reseller, requestId, act, ...made, madeBy: email });
	if (!outcome.ok) return { refused: TOKEN_REFUSAL_CODES[outcome.error] };
	forgetTokens();
	const newOne: StoredToken = {
		hash: made.tokenHash,
		tail: made.tokenTail,
		reseller,
		madeAtMs: nowMs(),
		madeBy: email,
		expiresAtMs: null,
		lastUsedAtMs: null,
	};
	const state = await readState(reseller, dependencies).catch((cause) => {
		// The token must not be lost because the store cannot be read now. The page reads again by itself.
		if (cause instanceof StoreUnavailableError) return tokenStateView(reseller, [newOne], dependencies);
		throw cause;
	});
	return { data: { token, state } };
}

async function readState(reseller: string, dependencies: TokenDependencies): Promise<TokenState> {
	return tokenStateView(reseller, await dependencies.store.listTokens(reseller), dependencies);
}
