import type { BandwidthCorrection } from '@bursar/contract/dashboard';
import type { UsageCorrection } from '../../../domain/operators/usage-correction.ts';
import { startOfDayMs } from '../../../domain/usage.ts';
import { time } from '../calls/times.ts';

/** @bound Corrections that a page shows, the newest: the rest is left out. */
export const CORRECTIONS_SHOWN = 50;

export function correctionView(correction: UsageCorrection): BandwidthCorrection {
	const { atMs, username, day, bytesUp, bytesDown, reason } = correction;
	return { made: time(atMs), username, date: time(startOfDayMs(day)), up: bytesUp, down: bytesDown, reason };
}
