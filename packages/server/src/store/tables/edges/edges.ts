import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import type { Edge } from '../../../domain/edge.ts';
import type { OpenInProcess } from '../../../domain/open-connections.ts';
import type { PairBounds } from '../../../domain/pair-state.ts';
import { gatherReads } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { givenRows, type ReadForEach, type SharedStatement } from '../../statement.ts';
import { BOUNDS_OF_PAIRS, type BoundsRow, boundsOf, pairDays } from '../accounts/pair.ts';
import { networksOf } from '../accounts/terms.ts';

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

/** The reads of the edge listener, for any engine. `pairs.most` names share a query. */
export function edgeReads(
	{ read, readEach }: Reader,
	{ pairs }: Readonly<Record<'pairs', ReadLimit>>,
	seal: KeySeal,
	nowMs: () => number,
): EdgeReads {
	const readSome = gatherReads(
		(parts: readonly (readonly string[])[]) => Promise.all(parts.map(findPairs)),
		({ rows, open }) => pairsOf(rows, open, seal),
		{ ...pairs, ownerOf: () => '', most: 1 },
	);

	async function findPairs(usernames: readonly string[]) {
		const atMs = nowMs();
		const rows = (await readEach(findingPairs(usernames, atMs))).flat() as PairRow[];
		const limited = rows.filter(({ connections }) => connections !== null);
		const open = limited.length === 0 ? [] : ((await readEach(findingOpen(limited, atMs))).flat() as OpenRow[]);
		return { rows, open };
	}

	return {
		listEdges: async () => (await read(LIST_EDGES)) as readonly Edge[],
		async readPairs(usernames) {
			const parts: (readonly string[])[] = [];
			for (let from = 0; from < usernames.length; from += pairs.most) {
				parts.push(usernames.slice(from, from + pairs.most));
			}
			return new Map((await Promise.all(parts.map(readSome))).flat());
		},
	};
}

const LIST_EDGES: SharedStatement = {
	sql: `SELECT name, key_hash AS "keyHash", key_tail AS "keyTail", link_hash AS "linkHash",
		link_expires_at_ms AS "linkExpiresAtMs", created_at_ms AS "createdAtMs",
		revoked_at_ms AS "revokedAtMs", last_seen_at_ms AS "lastSeenAtMs", reported_to_ms AS "reportedToMs", checks, refusals
		FROM edges ORDER BY name`,
	values: [],
};

interface PairRow extends BoundsRow {
	readonly sealedAuthKey: string;
	readonly allowedIps: string | null;
	readonly connections: number | null;
}

function findingPairs(usernames: readonly string[], atMs: number): ReadForEach {
	const [firstOfMonth, today] = pairDays(atMs);
	return {
		// With a parameter alone, SQLite plans anew for each name, which takes ten times as long as the read: it compares the
		// parameter with the conditions of partial indexes.
		sql: `SELECT account.sealed_auth_key AS "sealedAuthKey", account.allowed_ips AS "allowedIps",
			account.connections, ${BOUNDS_OF_PAIRS} WHERE usernames.username = CAST($3 AS text) LIMIT 1`,
		given: givenRows(usernames, {
			first_of_month: ['integer', () => firstOfMonth],
			today: ['integer', () => today],
			username: ['text', (username) => username],
		}),
	};
}

interface OpenRow extends OpenInProcess {
	readonly username: string;
}

function findingOpen(pairs: readonly PairRow[], atMs: number): ReadForEach {
	const lately = 'open > 0 AND at_ms > $1 AND username = $2';
	return {
		sql: `SELECT username, edge, '' AS process, open FROM open_connections WHERE ${lately}
			UNION ALL SELECT username, edge, process, open FROM open_in_processes WHERE ${lately}`,
		given: givenRows(pairs, {
			since_ms: ['bigint', () => atMs - OPEN_KNOWN_MS],
			username: ['text', ({ username }) => username],
		}),
	};
}

/** Makes pairs from the rows of both statements. */
function pairsOf(
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
