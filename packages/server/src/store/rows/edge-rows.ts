import type { OpenInProcess } from '../../domain/open-connections.ts';
import type { StoredPair } from '../reads/edge-reads.ts';
import type { KeySeal } from '../secrets/key-seal.ts';
import { BOUNDS_OF_PAIRS, type BoundsRow, boundsOf } from './pair-rows.ts';
import { networksOf } from './terms-row.ts';

/** Asks for all edges, as `Edge`, on any engine. */
export const LIST_EDGES = `SELECT name, key_hash AS "keyHash", key_tail AS "keyTail", link_hash AS "linkHash",
	link_expires_at_ms AS "linkExpiresAtMs", created_at_ms AS "createdAtMs",
	revoked_at_ms AS "revokedAtMs", last_seen_at_ms AS "lastSeenAtMs", reported_to_ms AS "reportedToMs", checks, refusals
	FROM edges ORDER BY name`;

/**
 * Asks for the pairs of accounts, as `PairRow`, on any engine. A condition on `usernames.username` is to follow. $1 and
 * $2: the first day of the month and today.
 */
export const FIND_PAIRS = `SELECT account.sealed_auth_key AS "sealedAuthKey", account.allowed_ips AS "allowedIps",
	account.connections, ${BOUNDS_OF_PAIRS}`;

/** Asks how many connections edges have open, as `OpenRow`. `names` is a condition on `username`. $1: since when it is known. */
export function findOpen(names: string): string {
	return `SELECT username, edge, '' AS process, open FROM open_connections WHERE open > 0 AND at_ms > $1 AND ${names}
		UNION ALL
		SELECT username, edge, process, open FROM open_in_processes WHERE open > 0 AND at_ms > $1 AND ${names}`;
}

export interface PairRow extends BoundsRow {
	readonly sealedAuthKey: string;
	readonly allowedIps: string | null;
	readonly connections: number | null;
}

export interface OpenRow extends OpenInProcess {
	readonly username: string;
}

/** The accounts whose open connections are to be found. */
export function withConnectionLimit(rows: readonly PairRow[]): readonly string[] {
	return rows.filter(({ connections }) => connections !== null).map(({ username }) => username);
}

/** Makes pairs of what both statements have found. */
export function pairsOf(
	rows: readonly PairRow[],
	open: readonly OpenRow[],
	seal: KeySeal,
): (readonly [string, StoredPair | null])[] {
	const openOf = Map.groupBy(open, ({ username }) => username);
	return rows.map((row) => [row.username, pairOf(row, openOf.get(row.username) ?? [], seal)]);
}

/** One damaged row must not fail the checks of all others. */
function pairOf(row: PairRow, open: readonly OpenRow[], seal: KeySeal): StoredPair | null {
	const { username, connections } = row;
	try {
		return {
			key: seal.open(row.sealedAuthKey, username),
			...boundsOf(row),
			allowedIps: networksOf(row.allowedIps),
			connections,
			open: open.map(({ edge, process, open: count }) => ({ edge, process, open: count })),
		};
	} catch {
		return null;
	}
}
