/**
 * A verification that was not recorded for this long has ended without a result, in milliseconds.
 * @bound A verification of the ledger is not recorded: then it counts as ended without a result.
 */
const LOST_MS = 60_000;

/** @bound Verifications of the ledger that are kept: the oldest are forgotten. */
export const KEPT_VERIFICATIONS = 100;

export interface NewVerification {
	readonly id: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly startedBy: string;
	/** Unix milliseconds. */
	readonly startedAtMs: number;
}

/** Whether a verification without an end still runs. One from the future was recorded before the clock was set back. */
export function isVerificationRunning(notedAtMs: number, nowMs: number): boolean {
	return Math.abs(nowMs - notedAtMs) < LOST_MS;
}
