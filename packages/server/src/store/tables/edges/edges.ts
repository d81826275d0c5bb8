import type { Edge } from '../../../domain/edge.ts';
import type { OpenInProcess } from '../../../domain/open-connections.ts';
import type { PairBounds } from '../../../domain/pair-state.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { BOUNDS_OF_PAIRS, type BoundsRow, boundsOf } from '../accounts/pair.ts';
import { networksOf } from '../accounts/terms.ts';

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

/** The reads of the edge listener. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface EdgeReads {
	/** All edges by name, the revoked ones too. At most `MAX_EDGES`. */
	listEdges(): Promise<readonly Edge[]>;
	/**
	 * The pairs of these accounts (normalized usernames, at most 1,000), by username. Resellers have one, too. Names
	 * without an account are missing. `null`: the row of the account is damaged, and its key cannot be read.
	 */
	readPairs(usernames: readonly string[]): Promise<ReadonlyMap<string, StoredPair | null>>;
}

export interface StoredPair extends PairBounds {
	/** The proxy auth key. */
	readonly key: string;
	/** From where the pair is good: addresses and networks. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
	/** How many connections may be open at once over all edges. */
	readonly connections: number | null;
	/** What edges lately said is open. Empty without a limit of connections. */
	readonly open: readonly OpenInProcess[];
}
