import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import type { Edge } from '../../../domain/edge.ts';
import { gatherReads } from '../../gather.ts';
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
import type { Connection } from '../database/connection.ts';
import { orUnavailable, reading } from './reading.ts';
import { prepareShared } from './shared-statements.ts';

/** How many pairs are read in one turn of the event loop: less than a millisecond; with a limit of all time, a few. */
const PAIRS_IN_A_TURN = 64;

export function sqliteEdgeReads(connection: Connection, seal: KeySeal, nowMs: () => number): EdgeReads {
	const edges = connection.prepare<[], Edge>(LIST_EDGES);
	const { read } = prepareShared(connection);
	const readSome = gatherReads(
		orUnavailable((asked: readonly (readonly string[])[]) => asked.map(findPairs)),
		({ rows, open }) => pairsOf(rows, open, seal),
		{ ownerOf: () => '', most: 1 },
	);
	/** Both reads are of one turn. */
	function findPairs(usernames: readonly string[]) {
		const [atMs, names] = [nowMs(), JSON.stringify(usernames)];
		const rows = read({
			sql: `${FIND_PAIRS} WHERE usernames.username IN (SELECT value FROM json_each($3))`,
			values: [...pairDays(atMs), names],
		}) as PairRow[];
		const limited = withConnectionLimit(rows);
		if (limited.length === 0) return { rows, open: [] };
		const open = read({
			sql: findOpen('username IN (SELECT value FROM json_each($2))'),
			values: [atMs - OPEN_KNOWN_MS, JSON.stringify(limited)],
		}) as OpenRow[];
		return { rows, open };
	}

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
