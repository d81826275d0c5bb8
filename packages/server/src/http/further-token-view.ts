import type { FurtherToken as FurtherTokenView } from '@bursar/contract/token-schemas';
import { type FurtherToken, isFurther } from '../domain/token.ts';
import type { StoredToken } from '../store/tables/tokens/tokens.ts';

/** The further ones of all tokens of a reseller, by name. */
export function furtherTokensView(tokens: readonly StoredToken[]): FurtherTokenView[] {
	return tokens
		.flatMap((token) => (isFurther(token) ? [furtherTokenView(token, token.lastUsedAtMs)] : []))
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function furtherTokenView(
	{ further, tail, madeAtMs, madeBy, expiresAtMs }: FurtherToken,
	lastUsedAtMs: number | null,
): FurtherTokenView {
	const { id, name, scopes, allowedIps } = further;
	const time = (atMs: number) => new Date(atMs).toISOString();
	return {
		...{ id, name, scopes: [...scopes], allowed_ips: allowedIps && [...allowedIps], tail, made_by: madeBy },
		expires_at: time(expiresAtMs),
		last_used: lastUsedAtMs === null ? null : time(lastUsedAtMs),
		date_created: time(madeAtMs),
	};
}
