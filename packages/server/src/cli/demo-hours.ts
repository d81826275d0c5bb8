import type { CounterReading, UsageReport } from '../domain/usage.ts';
import { startOfDayMs, usageDayOf } from '../domain/usage.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const EDGES = ['eu-frankfurt-1', 'eu-paris-1', 'us-east-1', 'ap-tokyo-1'];

/**
 * The bytes of a day as edges report them: hour by hour until a time, more in the afternoon than at night. Each hour has a
 * counter of its own. A day that has just begun has one hour.
 */
export function hourlyReadings(
	{ username, atMs, bytesUp, bytesDown }: UsageReport,
	untilMs: number,
): readonly CounterReading[] {
	const day = usageDayOf(atMs);
	const count = Math.min(HOURS, Math.floor((untilMs - startOfDayMs(day)) / HOUR_MS) + 1);
	const weights = Array.from({ length: count }, (_, hour) => 1.2 - Math.cos(((hour - 3) * Math.PI) / 12));
	const all = weights.reduce((sum, weight) => sum + weight, 0);
	const left = { up: bytesUp, down: bytesDown };
	return weights.map((weight, hour) => {
		const isLast = hour === count - 1;
		const up = isLast ? left.up : Math.floor((bytesUp * weight) / all);
		const down = isLast ? left.down : Math.floor((bytesDown * weight) / all);
		left.up -= up;
		left.down -= down;
		return {
			edge: EDGES[(username.length + hour * 7) % EDGES.length] as string,
			edgeBytesPerMs: Number.POSITIVE_INFINITY,
			counter: `${username} ${day} ${hour}`,
			...{ username, atMs: startOfDayMs(day) + hour * HOUR_MS, bytesUp: up, bytesDown: down },
		};
	});
}
