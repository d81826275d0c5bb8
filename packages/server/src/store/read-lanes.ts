import type { OwnedRead } from './person-reads.ts';

/** Two ways to read, so that heavy reads delay no quick ones. In each, owners take turns. */
export interface ReadLanes {
	/** For reads of microseconds. */
	readonly quick: OwnedRead;
	/** For reads of what may be many rows. */
	readonly heavy: OwnedRead;
}

/** How many heavy reads wait, in total and of one owner, and how long. Others are refused. */
export const HEAVY_READS = { maxWaiting: 64, maxOfOwner: 8, maxWaitMs: 4_000 } as const;

/** A heavy read that runs for this long, in milliseconds, is ended. */
export const HEAVY_READ_MS = 10_000;

/** Whose reads the operators' are. No reseller has this name. */
export const OPERATORS = 'operators:';
