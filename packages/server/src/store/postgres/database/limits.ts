/**
 * How long the parts of a batch may take, in milliseconds. Their sum is below five seconds, so every request gets its
 * answer within five seconds even if the database fails.
 */
export const LIMITS = {
	/** @bound A command waits before it starts on PostgreSQL: then it is answered `unavailable`. */
	queueMs: 1_800,
	/**
	 * From the beginning of a batch until its COMMIT is sent, with all repetitions.
	 * @bound A batch until its COMMIT is sent: then it is not done.
	 */
	prepareMs: 1_400,
	/**
	 * The same for a batch of usage reports. No request waits for it.
	 * @bound A batch of usage reports until its COMMIT is sent: then it is not done.
	 */
	usagePrepareMs: 30_000,
	/**
	 * The wait for a row that another process has locked. Less than `commitMs`: writes are sent together with COMMIT.
	 * @bound A batch waits for a row of another process: then only the commands that need the row wait.
	 */
	lockMs: 700,
	/** The wait for a row after the batch has waited for `lockMs` once. Commands that need a held row are left out. */
	heldLockMs: 50,
	/**
	 * The server ends a transaction that is idle for this long. A process that hangs delays the others for so long.
	 * @bound A transaction is idle because its process hangs: then PostgreSQL ends it.
	 */
	idleMs: 800,
	/** @bound A batch waits for the answer to COMMIT: then its mark is read. */
	commitMs: 800,
	/** @bound A batch from COMMIT until its outcome is known: then the outcome is unknown. */
	endMs: 1_700,
	/** @bound A read on PostgreSQL, with all repetitions: then it is answered `unavailable`. */
	readMs: 3_000,
} as const;
