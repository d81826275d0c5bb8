import type { TokenState } from '@bursar/contract/dashboard';
import type { TokenMaking } from '../../domain/command.ts';
import type { DashboardReads } from '../../store/dashboard-reads.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { tokenStateView } from './views.ts';

interface TokenStateDependencies extends Pick<DashboardDependencies, 'nowMs' | 'publicUrl'> {
	readonly store: Pick<DashboardReads, 'listTokens'>;
}

/** The tokens of a reseller, as the store has them. `owner` is whose read it is, if not the reseller's. */
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
		};
		return tokenStateView(reseller, [kept], dependencies);
	}
}
