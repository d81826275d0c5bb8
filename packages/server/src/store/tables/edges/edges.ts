import type { Edge } from '../../../domain/edge.ts';
import type { OpenInProcess } from '../../../domain/open-connections.ts';
import type { PairBounds } from '../../../domain/pair-state.ts';
import { gatherReads } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { boundsOf, type FindingPairs, type PairRow } from '../accounts/pair.ts';
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
	/** Whose account it is. */
	readonly reseller: string;
	/** From where the pair is good: addresses and networks. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
	/** How many connections may be open at once over all edges. */
	readonly connections: number | null;
	/** How much of its bytes passes in a second, up and down each. */
	readonly bytesPerSecond: number | null;
	/** What edges lately said is open. Empty without a limit of connections. */
	readonly open: readonly OpenInProcess[];
}

/** The reads of the edge listener, for any engine. `pairs.most` names share a query. */
export function edgeReads(
	{ read }: Reader,
	{ pairs }: Readonly<Record<'pairs', ReadLimit>>,
	seal: KeySeal,
	{ findingPairs, nowMs }: { readonly findingPairs: FindingPairs; readonly nowMs: () => number },
): EdgeReads {
	const findPairs = async (usernames: readonly string[]) =>
		(await read(findingPairs(usernames, nowMs()))) as readonly PairRow[];
	const readSome = gatherReads(
		(parts: readonly (readonly string[])[]) => Promise.all(parts.map(findPairs)),
		(rows) => rows.map((row) => [row.username, pairOf(row, seal)] as const),
		{ ...pairs, ownerOf: () => '', most: 1 },
	);

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

/** One damaged row must not fail the checks of all others. */
function pairOf(row: PairRow, seal: KeySeal): StoredPair | null {
	const { sealedAuthKey, username, reseller, allowedIps, connections, bytesPerSecond, open } = row;
	try {
		return {
			key: seal.open(sealedAuthKey, username),
			reseller,
			...boundsOf(row),
			allowedIps: networksOf(allowedIps),
			connections,
			bytesPerSecond,
			open: JSON.parse(open ?? '[]'),
		};
	} catch {
		return null;
	}
}
