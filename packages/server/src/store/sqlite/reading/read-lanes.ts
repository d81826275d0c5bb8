import { inTurns } from '../../gather.ts';
import { HEAVY_READS, type ReadLanes } from '../../read-lanes.ts';
import type { Connection } from '../database/connection.ts';
import { orUnavailable } from './reading.ts';
import type { ReadingThreads } from './reading-threads.ts';
import { prepareShared } from './shared-statements.ts';

/** How much is read in one turn of the event loop: about two milliseconds. */
const READS_IN_A_TURN = 8;

/** Quick reads run on the calling thread, heavy reads in a thread of their own. */
export function sqliteReadLanes(connection: Connection, threads: ReadingThreads): ReadLanes {
	const { read } = prepareShared(connection);
	const quick = inTurns(orUnavailable(read), { most: READS_IN_A_TURN });
	return { quick, heavy: inTurns(threads.readReport, HEAVY_READS) };
}
