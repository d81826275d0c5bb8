import type { KeySeal } from '../secrets/key-seal.ts';

/** Asks for all edges, as `Edge`, on any engine. */
export const LIST_EDGES = `SELECT name, key_hash AS "keyHash", key_tail AS "keyTail", link_hash AS "linkHash",
	link_expires_at_ms AS "linkExpiresAtMs", created_at_ms AS "createdAtMs",
	revoked_at_ms AS "revokedAtMs", last_seen_at_ms AS "lastSeenAtMs", reported_to_ms AS "reportedToMs", checks, refusals
	FROM edges ORDER BY name`;

/** Asks for the pairs of accounts, as `PairRow`, on any engine. A condition on `username` is to follow. */
export const FIND_PAIRS = `SELECT username, sealed_auth_key AS "sealedAuthKey"
	FROM usernames JOIN accounts USING (reseller, username)`;

export interface PairRow {
	readonly username: string;
	readonly sealedAuthKey: string;
}

/** One damaged row must not fail the checks of all others. */
export function pairOf({ username, sealedAuthKey }: PairRow, { open }: KeySeal): readonly [string, string | null] {
	try {
		return [username, open(sealedAuthKey, username)];
	} catch {
		return [username, null];
	}
}
