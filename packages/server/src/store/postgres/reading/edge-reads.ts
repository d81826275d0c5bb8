import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import type { Edge } from '../../../domain/edge.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { pairDays } from '../../tables/accounts/pair.ts';
import type { EdgeReads } from '../../tables/edges/edges.ts';
import {
	FIND_PAIRS,
	findOpen,
	LIST_EDGES,
	type OpenRow,
	type PairRow,
	pairsOf,
	withConnectionLimit,
} from '../../tables/edges/edges.ts';
import type { Read } from './reading.ts';

/** For the list of edges, and for pairs that checks wait for and that are read again. They wait for no other reads. */
export const EDGE_CONNECTIONS = 3;

export function postgresEdgeReads(read: Read, seal: KeySeal, nowMs: () => number): EdgeReads {
	return {
		listEdges: () => read<Edge>(LIST_EDGES, []),
		async readPairs(usernames) {
			const atMs = nowMs();
			const rows = await read<PairRow>(`${FIND_PAIRS} WHERE usernames.username = ANY($3)`, [
				...pairDays(atMs),
				usernames,
			]);
			const limited = withConnectionLimit(rows);
			const open =
				limited.length === 0
					? []
					: await read<OpenRow>(findOpen('username = ANY($2)'), [atMs - OPEN_KNOWN_MS, limited]);
			return new Map(pairsOf(rows, open, seal));
		},
	};
}
