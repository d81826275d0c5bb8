/** A change of the bandwidth of a day by the operator, as it was recorded. */
export interface UsageCorrection {
	readonly reference: string;
	readonly reseller: string;
	/** Of a sub-user, or of the reseller itself. */
	readonly username: string;
	/** The UTC day, in days since 1970-01-01. */
	readonly day: number;
	/** What was added, in bytes; below zero if it was taken away. */
	readonly bytesUp: number;
	readonly bytesDown: number;
	readonly reason: string;
	/** The e-mail address of an operator, or the system user who gave the command. */
	readonly madeBy: string;
	readonly requestId: string;
	/** Unix milliseconds. */
	readonly atMs: number;
}
