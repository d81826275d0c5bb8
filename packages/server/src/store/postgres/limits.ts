/**
 * How long the parts of a batch may take, in milliseconds. Together they stay below the five seconds
 * within which every request gets its answer, whatever becomes of the database.
 */
export const LIMITS = {
	/** A command waits to be begun. */
	queueMs: 1_800,
	/** From the beginning of a batch until its COMMIT is sent, with every repetition. */
	prepareMs: 1_400,
	/** The same of a batch of usage: no request waits for it. */
	usagePrepareMs: 30_000,
	/** Waiting for a row that another process has locked. Shorter than the wait for COMMIT, with which writes are sent. */
	lockMs: 700,
	/** The same once the batch has waited that long: what is still held is left out. */
	heldLockMs: 50,
	/** A transaction lies idle before the server ends it: so long can a process that was stopped hold up the others. */
	idleMs: 800,
	/** COMMIT is not answered before it is asked about in another way. */
	commitMs: 800,
	/** From sending COMMIT until its outcome is known, or given up. */
	endMs: 1_700,
	/** A read, with every repetition. */
	readMs: 3_000,
} as const;
