import type { CurrentToken, PreviousToken, TokenState } from '@bursar/contract/dashboard';
import type { TokenMaking } from '../../../commands/tokens/new-token.ts';
import { isRetiredToken, TOKEN_CACHE_LIFE_MS } from '../../../domain/token.ts';
import { StoreUnavailableError } from '../../../store/reading.ts';
import type { DashboardReads } from '../../../store/tables/people/reads.ts';
import type { StoredToken } from '../../../store/tables/tokens/tokens.ts';
import { time, timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

interface TokenStateDependencies extends Pick<DashboardDependencies, 'nowMs' | 'publicUrl'> {
	readonly store: Pick<DashboardReads, 'listTokens'>;
}

/** The tokens of a reseller, as the store has them. `owner` is the owner of the read; default: the reseller. */
export async function readTokenState(
	reseller: string,
	dependencies: TokenStateDependencies,
	owner?: string,
): Promise<TokenState> {
	return tokenStateView(reseller, await dependencies.store.listTokens(reseller, owner), dependencies);
}

/**
 * The same after a new token was made. If the store cannot be read now, the new token alone is shown: it must not be
 * lost. The page reads again by itself.
 */
export async function stateWithNewToken(
	reseller: string,
	{ tokenHash, tokenTail, madeBy }: TokenMaking,
	dependencies: TokenStateDependencies,
	owner?: string,
): Promise<TokenState> {
	try {
		return await readTokenState(reseller, dependencies, owner);
	} catch (cause) {
		if (!(cause instanceof StoreUnavailableError)) throw cause;
		const madeAtMs = dependencies.nowMs();
		const kept = {
			hash: tokenHash,
			tail: tokenTail,
			reseller,
			madeAtMs,
			madeBy,
			expiresAtMs: null,
			lastUsedAtMs: null,
			further: null,
		};
		return tokenStateView(reseller, [kept], dependencies);
	}
}

/** The tokens of a reseller. Throws if none of them is current. */
function tokenStateView(
	reseller: string,
	tokens: readonly StoredToken[],
	{ publicUrl, nowMs }: Pick<DashboardDependencies, 'publicUrl' | 'nowMs'>,
): TokenState {
	const current = tokens.find(({ expiresAtMs }) => expiresAtMs === null);
	if (!current) throw new Error('a reseller has no current token');
	const [previous] = tokens
		.filter(isRetiredToken)
		.flatMap((token) => previousView(token, nowMs()) ?? [])
		.toSorted((one, other) => other.dead.localeCompare(one.dead));
	return { reseller, api_url: publicUrl(), current: currentView(current), previous: previous ?? null };
}

function currentView({ tail, madeAtMs, madeBy, lastUsedAtMs }: StoredToken): CurrentToken {
	return { tail, made: time(madeAtMs), made_by: madeBy, last_used: timeOrNull(lastUsedAtMs) };
}

/** The token that was replaced, as long as a process may still accept it. */
function previousView({ tail, expiresAtMs, lastUsedAtMs }: StoredToken, nowMs: number): PreviousToken | undefined {
	if (expiresAtMs === null || nowMs >= expiresAtMs + TOKEN_CACHE_LIFE_MS) return undefined;
	return {
		tail,
		expires: time(expiresAtMs),
		dead: time(expiresAtMs + TOKEN_CACHE_LIFE_MS),
		last_used: timeOrNull(lastUsedAtMs),
	};
}
