import type { CounterReading } from '@bursar/contract/edge';
import { USAGE_ACCEPTED_DAYS } from '@bursar/contract/limits';

/** The value of a counter at a time. */
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
/** By our clock, the reading is not old. So our clock is far behind that of the service. */
const TOO_OLD = 'timestamp_too_old';

/** The UTC day of a reading. */
export function dayOf({ atMs }: Reading): number {
	return Math.floor(atMs / DAY_MS);
}

/** The reading as it is sent. If our clock was wrong and is corrected since, the bytes count now. */
export function wireForm(reading: Reading, nowMs: number): CounterReading {
	const { counter, username, bytesUp, bytesDown, atMs, isOurTime } = reading;
	const wasBehind = isOurTime && isOld(reading, nowMs);
	const at = new Date(wasBehind ? nowMs : Math.min(atMs, nowMs)).toISOString();
	return { counter, username, up: bytesUp, down: bytesDown, at };
}

/**
 * Whether a refused reading may count later: once the clock of this machine or of the service is corrected, or once the
 * time was long enough for so many bytes.
 */
export function mayCountLater(reading: Reading, reason: string, nowMs: number): boolean {
	return reason === AHEAD || reason === TOO_FAST || (reason === TOO_OLD && !isOld(reading, nowMs));
}

function isOld({ atMs }: Reading, nowMs: number): boolean {
	return atMs < nowMs - USAGE_ACCEPTED_DAYS * DAY_MS;
}
