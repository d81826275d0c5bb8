import { firstNumberAt } from '../../search.ts';
import type { NearMovements } from '../../tables/reports/platform.ts';

/** How far the clock may have been set back, in milliseconds, and each movement is still found. */
const CLOCK_SET_BACK_MS = 60 * 60_000;

/** Movements have no index of their times, but their ids grow with time. */
export const sqliteNearMovements: NearMovements = ({ fromMs, toMs }, bind) => {
	const first = (atMs: number) => `(${firstNumberAt({ name: 'transfers', number: 'id' }, atMs, bind)})`;
	const from = `AND id >= ${first(fromMs - CLOCK_SET_BACK_MS)}`;
	return toMs === undefined ? from : `${from} AND id < ${first(toMs + CLOCK_SET_BACK_MS)}`;
};
