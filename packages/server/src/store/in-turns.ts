import { type GatherOptions, gatherReads } from './gather.ts';
import type { OwnedRead } from './person-reads.ts';
import type { SharedStatement } from './person-rows.ts';

/** Owners take turns. Unless `limits` say more, one statement is read at a time. */
export function inTurns(
	read: (statement: SharedStatement) => readonly object[] | Promise<readonly object[]>,
	limits: Partial<Omit<GatherOptions<unknown>, 'ownerOf' | 'nameOf'>>,
): OwnedRead {
	return gatherReads(
		(asked: readonly Parameters<OwnedRead>[0][]) => Promise.all(asked.map(({ statement }) => read(statement))),
		(rows) => rows,
		{ ownerOf: ({ owner }) => owner, most: 1, ...limits },
	);
}
