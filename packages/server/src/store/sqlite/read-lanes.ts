import { gatherReads } from '../gather.ts';
import type { OwnedRead } from '../person-reads.ts';
import { HEAVY_READS, type ReadLanes } from '../read-lanes.ts';
import type { Connection } from './connection.ts';
import { orUnavailable } from './reading.ts';
import type { ReadingThreads } from './reading-threads.ts';
import { prepareShared } from './shared-statements.ts';

/** How much is read in one turn of the event loop: about two milliseconds. */
const READS_IN_A_TURN = 8;

type Asked = Parameters<OwnedRead>[0];
const ownerOf = ({ owner }: Asked) => owner;

/** Quick reads run on the calling thread, heavy reads in a thread of their own. Without threads, all are quick. */
export function sqliteReadLanes(connection: Connection, threads: ReadingThreads | undefined): ReadLanes {
	const { read } = prepareShared(connection);
	const quick: OwnedRead = gatherReads(
		orUnavailable((asked: readonly Asked[]) => asked.map(({ statement }) => read(statement))),
		(rows) => rows,
		{ ownerOf, most: READS_IN_A_TURN },
	);
	if (!threads) return { quick, heavy: quick };
	const heavy: OwnedRead = gatherReads(
		(asked: readonly Asked[]) => Promise.all(asked.map(({ statement }) => threads.readReport(statement))),
		(rows) => rows,
		{ ownerOf, most: 1, ...HEAVY_READS },
	);
	return { quick, heavy };
}
