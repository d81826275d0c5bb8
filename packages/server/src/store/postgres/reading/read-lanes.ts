import { inTurns } from '../../gather.ts';
import { HEAVY_READS, type ReadLanes } from '../../read-lanes.ts';
import type { Read } from './reading.ts';

/** How many quick reads run at once, besides the reads of people. */
export const BUSINESS_CONNECTIONS = 2;
/** Heavy reads have connections of their own. */
export const REPORT_CONNECTIONS = 2;

export function postgresReadLanes(quick: Read, heavy: Read): ReadLanes {
	return {
		quick: inTurns(({ sql, values }) => quick(sql, values), { atOnce: BUSINESS_CONNECTIONS }),
		heavy: inTurns(({ sql, values }) => heavy(sql, values), { atOnce: REPORT_CONNECTIONS, ...HEAVY_READS }),
	};
}
