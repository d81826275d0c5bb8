import { gatherReads } from '../gather.ts';
import type { OwnedRead } from '../person-reads.ts';
import { HEAVY_READS, type ReadLanes } from '../read-lanes.ts';
import type { Read } from './reading.ts';

/** How many quick reads run at once, besides the reads of people. */
export const BUSINESS_CONNECTIONS = 2;
/** Heavy reads have connections of their own. */
export const REPORT_CONNECTIONS = 2;

export function postgresReadLanes(quick: Read, heavy: Read): ReadLanes {
	return {
		quick: inTurns(quick, { atOnce: BUSINESS_CONNECTIONS }),
		heavy: inTurns(heavy, { atOnce: REPORT_CONNECTIONS, ...HEAVY_READS }),
	};
}

function inTurns(read: Read, limits: { readonly atOnce: number } & Partial<typeof HEAVY_READS>): OwnedRead {
	return gatherReads(
		(asked: readonly Parameters<OwnedRead>[0][]) =>
			Promise.all(asked.map(({ statement: { sql, values } }) => read<object>(sql, values))),
		(rows) => rows,
		{ ownerOf: ({ owner }) => owner, most: 1, ...limits },
	);
}
