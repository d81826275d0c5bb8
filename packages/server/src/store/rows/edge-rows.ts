import { bytesLeft } from '../../domain/metering.ts';
import type { StoredPair } from '../reads/edge-reads.ts';
import type { KeySeal } from '../secrets/key-seal.ts';

/** Asks for all edges, as `Edge`, on any engine. */
export const LIST_EDGES = `SELECT name, key_hash AS "keyHash", key_tail AS "keyTail", link_hash AS "linkHash",
	link_expires_at_ms AS "linkExpiresAtMs", created_at_ms AS "createdAtMs",
	revoked_at_ms AS "revokedAtMs", last_seen_at_ms AS "lastSeenAtMs", reported_to_ms AS "reportedToMs", checks, refusals
	FROM edges ORDER BY name`;

/** Asks for the pairs of accounts, as `PairRow`, on any engine. A condition on `usernames.username` is to follow. */
export const FIND_PAIRS = `SELECT usernames.username, sealed_auth_key AS "sealedAuthKey", balance_cents AS "liveCents",
	current_prices.micro_usd_per_gb AS "microUsdPerGb", cost_rest AS "restUnits"
	FROM usernames
	JOIN live_accounts AS account ON account.reseller = usernames.reseller AND account.username = usernames.username
	LEFT JOIN current_prices ON current_prices.reseller = usernames.reseller
	LEFT JOIN meters ON meters.reseller = usernames.reseller AND meters.username = usernames.username
		AND meters.price = current_prices.number`;

export interface PairRow {
	readonly username: string;
	readonly sealedAuthKey: string;
	readonly liveCents: number;
	/** `null` if the reseller is not metered. */
	readonly microUsdPerGb: number | null;
	/** `null` if nothing was used at this price. */
	readonly restUnits: number | null;
}

/** One damaged row must not fail the checks of all others. */
export function pairOf(row: PairRow, { open }: KeySeal): readonly [string, StoredPair | null] {
	const { username, sealedAuthKey, liveCents, microUsdPerGb, restUnits } = row;
	try {
		const leftBytes = microUsdPerGb === null ? null : bytesLeft(liveCents, restUnits ?? 0, microUsdPerGb);
		return [username, { key: open(sealedAuthKey, username), leftBytes }];
	} catch {
		return [username, null];
	}
}
