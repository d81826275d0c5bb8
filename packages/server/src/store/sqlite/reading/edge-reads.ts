import type { Edge } from '../../../domain/edge.ts';
import { gatherReads } from '../../gather.ts';
import type { EdgeReads } from '../../reads/edge-reads.ts';
import { FIND_PAIRS, LIST_EDGES, type PairRow, pairOf } from '../../rows/edge-rows.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { Connection } from '../database/connection.ts';
import { orUnavailable, reading } from './reading.ts';

/** How many pairs are read in one turn of the event loop: about one millisecond. */
const PAIRS_IN_A_TURN = 256;

export function sqliteEdgeReads(connection: Connection, seal: KeySeal): EdgeReads {
	const edges = connection.prepare<[], Edge>(LIST_EDGES);
	const findPairs = connection.prepare<[string], PairRow>(
		`${FIND_PAIRS} WHERE usernames.username IN (SELECT value FROM json_each(?))`,
	);
	const readSome = gatherReads(
		orUnavailable((asked: readonly (readonly string[])[]) =>
			asked.map((names) => findPairs.all(JSON.stringify(names))),
		),
		(rows) => rows.map((row) => pairOf(row, seal)),
		{ ownerOf: () => '', most: 1 },
	);
	return {
		listEdges: reading(() => edges.all()),
		async readPairs(usernames) {
			const parts: (readonly string[])[] = [];
			for (let from = 0; from < usernames.length; from += PAIRS_IN_A_TURN) {
				parts.push(usernames.slice(from, from + PAIRS_IN_A_TURN));
			}
			return new Map((await Promise.all(parts.map(readSome))).flat());
		},
	};
}
