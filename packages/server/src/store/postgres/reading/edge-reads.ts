import type { Edge } from '../../../domain/edge.ts';
import type { EdgeReads } from '../../reads/edge-reads.ts';
import { FIND_PAIRS, LIST_EDGES, type PairRow, pairOf } from '../../rows/edge-rows.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { Read } from './reading.ts';

/** For the list of edges, and for pairs that checks wait for and that are read again. They wait for no other reads. */
export const EDGE_CONNECTIONS = 3;

export function postgresEdgeReads(read: Read, seal: KeySeal): EdgeReads {
	return {
		listEdges: () => read<Edge>(LIST_EDGES, []),
		async readPairs(usernames) {
			const rows = await read<PairRow>(`${FIND_PAIRS} WHERE usernames.username = ANY($1)`, [usernames]);
			return new Map(rows.map((row) => pairOf(row, seal)));
		},
	};
}
