import type { CounterReading } from '@bursar/contract/edge';
import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';

/** A value that a counter had at a time. */
export interface Reading {
	readonly counter: string;
	/** Normalized. */
	readonly username: string;
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** Whether the time is that of our clock, which may have been wrong. */
	readonly isOurTime: boolean;
}

const DAY_MS = 86_400_000;
/** The clock of this machine is ahead of the service's. */
const AHEAD = 'timestamp_ahead';
/** More bytes than this machine can have carried since its previous report. */
const TOO_FAST = 'too_fast';
/** If the reading is not old by our clock, that one is far behind the service's. */
const TOO_OLD = 'timestamp_too_old';

/** The UTC day of a reading. */
export function dayOf({ atMs }: Reading): number {
	return Math.floor(atMs / DAY_MS);
}

/** What the service is sent. Our clock may have been ahead or far behind, and corrected since: then the bytes count now. */
export function wireForm(reading: Reading, nowMs: number): CounterReading {
	const { counter, username, bytesUp, bytesDown, atMs, isOurTime } = reading;
	const wasBehind = isOurTime && isOld(reading, nowMs);
	const at = new Date(wasBehind ? nowMs : Math.min(atMs, nowMs)).toISOString();
	return { counter, username, up: bytesUp, down: bytesDown, at };
}

/**
 * Whether a refused reading may count later: when the clock of this machine, or that of the service, was corrected, or
 * when there was time for so many bytes.
 */
export function mayCountLater(reading: Reading, reason: string, nowMs: number): boolean {
	return reason === AHEAD || reason === TOO_FAST || (reason === TOO_OLD && !isOld(reading, nowMs));
}

function isOld({ atMs }: Reading, nowMs: number): boolean {
	return atMs < nowMs - USAGE_ACCEPTED_DAYS * DAY_MS;
}
