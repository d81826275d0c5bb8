import type { CounterReading, UsageReport } from '../../domain/usage.ts';
import { startOfDayMs, usageDayOf } from '../../domain/usage.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** At the first moment of a day, so much of it counts as over. */
const SHORTEST_HOURS = 1 / 60;
const EDGES = ['eu-frankfurt-1', 'eu-paris-1', 'us-east-1', 'ap-tokyo-1'];

/** How much of a day's bandwidth is used until a time of that day, from 0 to 1: more in the afternoon than at night. */
export function shareOfDay(day: number, untilMs: number): number {
	const sum = (weights: readonly number[]) => weights.reduce((all, weight) => all + weight, 0);
	return sum(weightsUntil(day, untilMs)) / sum(weightsUntil(day, Number.POSITIVE_INFINITY));
}

/** Of each hour that has begun. The last one may have just begun. */
function weightsUntil(day: number, untilMs: number): readonly number[] {
	const hours = Math.min(HOURS, Math.max(SHORTEST_HOURS, (untilMs - startOfDayMs(day)) / HOUR_MS));
	return Array.from(
		{ length: Math.ceil(hours) },
		(_, hour) => Math.min(1, hours - hour) * (1.2 - Math.cos(((hour - 3) * Math.PI) / 12)),
	);
}

/** The bytes until a time of a day as edges report them, hour by hour. Each hour has a counter of its own. */
export function hourlyReadings(
	{ username, atMs, bytesUp, bytesDown }: UsageReport,
	untilMs: number,
): readonly CounterReading[] {
	const day = usageDayOf(atMs);
	const weights = weightsUntil(day, untilMs);
	const all = weights.reduce((sum, weight) => sum + weight, 0);
	const left = { up: bytesUp, down: bytesDown };
	return weights.map((weight, hour) => {
		const isLast = hour === weights.length - 1;
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
