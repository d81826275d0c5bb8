import type { PaymentState } from '@bursar/contract/payments';
import type { Payment } from './payment.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A payment is read after a part of its age, not sooner and not later than this; and not any more once it is too old. */
interface Rhythm {
	readonly part: number;
	readonly leastMs: number;
	readonly mostMs: number;
	readonly untilAgeMs: number;
}

/**
 * Hints bring news at once. These reads find what hints have lost.
 * @bound Days that a payment is read by itself: 400, and 7 if the provider never had it. Later, only hints and people ask for it.
 */
const RHYTHMS: Readonly<Record<PaymentState, Rhythm>> = {
	creating: { part: 1 / 2, leastMs: 5 * SECOND_MS, mostMs: 10 * MINUTE_MS, untilAgeMs: 400 * DAY_MS },
	open: { part: 1 / 8, leastMs: 10 * SECOND_MS, mostMs: 6 * HOUR_MS, untilAgeMs: 400 * DAY_MS },
	processing: { part: 1 / 8, leastMs: 10 * SECOND_MS, mostMs: 6 * HOUR_MS, untilAgeMs: 400 * DAY_MS },
	settled: { part: 1 / 4, leastMs: 10 * MINUTE_MS, mostMs: 30 * DAY_MS, untilAgeMs: 400 * DAY_MS },
	expired: { part: 1 / 4, leastMs: MINUTE_MS, mostMs: 30 * DAY_MS, untilAgeMs: 400 * DAY_MS },
	not_made: { part: 1 / 2, leastMs: 10 * MINUTE_MS, mostMs: DAY_MS, untilAgeMs: 7 * DAY_MS },
};

/** The longest time that a payment waits to be read again after a read has failed, in milliseconds. */
export const MOST_WAIT_AGAIN_MS = 10 * MINUTE_MS;
/** So many failed reads, one after the other, are no passing fault any more. */
export const FAILING_READS = 4;

/** @bound A provider is away: a payment is tried again after 5 seconds, and later after up to 10 minutes. */
const AGAIN = { leastMs: 5 * SECOND_MS, mostMs: MOST_WAIT_AGAIN_MS } as const;
/** @bound Failed reads, one after the other, of a payment that is too old to be read by itself: about a day of them. Then it is given up. */
const MOST_FAILED_WHEN_OLD = 150;

/** When a payment is to be read again by itself; `null` if no more. */
export function nextReadOf({ state, createdAtMs, failedReads }: Payment, nowMs: number): number | null {
	const { part, leastMs, mostMs, untilAgeMs } = RHYTHMS[state];
	const ageMs = Math.max(0, nowMs - createdAtMs);
	if (ageMs > untilAgeMs && (failedReads === 0 || failedReads >= MOST_FAILED_WHEN_OLD)) return null;
	if (failedReads > 0) return nowMs + Math.min(AGAIN.leastMs * 2 ** Math.min(failedReads - 1, 20), AGAIN.mostMs);
	return nowMs + Math.round(Math.min(Math.max(ageMs * part, leastMs), mostMs));
}
