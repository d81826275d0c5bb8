/**
 * How long the parts of a batch may take, in milliseconds. Their sum is below five seconds, so every request gets its
 * answer within five seconds even if the database fails.
 */
export const LIMITS = {
	/** A command waits before it starts. */
	queueMs: 1_800,
	/** From the beginning of a batch until its COMMIT is sent, with all repetitions. */
	prepareMs: 1_400,
	/** The same for a batch of usage reports. No request waits for it. */
	usagePrepareMs: 30_000,
	/** The wait for a row that another process has locked. Less than `commitMs`: writes are sent together with COMMIT. */
	lockMs: 700,
	/** The wait for a row after the batch has waited for `lockMs` once. Commands that need a held row are left out. */
	heldLockMs: 50,
	/** The server ends a transaction that is idle for this long. A process that hangs delays the others for so long. */
	idleMs: 800,
	/** The wait for the answer to COMMIT, before the mark is read instead. */
	commitMs: 800,
	/** From sending COMMIT until its outcome is known or counts as unknown. */
	endMs: 1_700,
	/** A read, with all repetitions. */
	readMs: 3_000,
} as const;
