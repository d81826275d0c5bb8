import type { BandwidthDay } from '@bursar/contract/dashboard';

/** What a bar shows: bytes down and up, or anything else of which `up` is 0. */
export type ChartDay = Pick<BandwidthDay, 'date' | 'up' | 'down'>;

/** How high a bar with some usage is at least, in percent of the chart: less could not be seen. */
const SEEN_PERCENT = 1;
const STEPS = 4;
/** What looks round, times a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A bar takes this part of its day's width, and the rest is the gap. */
const BAR_PART = 0.76;

/** The scale of the vertical axis: lines from 0 to the top, with round values in between. */
export interface Scale {
	readonly top: number;
	readonly lines: readonly number[];
}

/** A scale for values up to `max`, which is above zero. */
export function scaleOf(max: number): Scale {
	const step = roundStep(max / STEPS);
	const count = Math.max(1, Math.ceil(max / step));
	return { top: count * step, lines: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** The smallest round value that is not below the value. A byte is the smallest step. */
function roundStep(value: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
	return (ROUND.find((round) => round * power >= value && Number.isInteger(round * power)) ?? 10) * power;
}

/** One bar, in percent of the chart's width and height. `down` stands on the ground, and `up` on it. */
interface Bar {
	readonly x: number;
	readonly width: number;
	readonly down: number;
	readonly up: number;
}

export function barsOf(days: readonly ChartDay[], top: number): readonly Bar[] {
	const dayWidth = 100 / days.length;
	return days.map(({ up, down }, index) => ({
		x: index * dayWidth + (dayWidth * (1 - BAR_PART)) / 2,
		width: dayWidth * BAR_PART,
		down: heightOf(down, top),
		up: heightOf(up, top),
	}));
}

function heightOf(bytes: number, top: number): number {
	return bytes === 0 ? 0 : Math.max(SEEN_PERCENT, (bytes / top) * 100);
}

export function totalsOf(days: readonly ChartDay[]): { readonly up: number; readonly down: number } {
	return {
		up: days.reduce((sum, { up }) => sum + up, 0),
		down: days.reduce((sum, { down }) => sum + down, 0),
	};
}

/** The middle of a day, in percent of the chart's width. */
export function middleOf(index: number, count: number): number {
	return ((index + 0.5) / count) * 100;
}

/** The day at a part of the chart's width, from 0 to 1. */
export function dayAt(part: number, count: number): number {
	return Math.min(count - 1, Math.max(0, Math.floor(part * count)));
}

/** The day that a key moves to; `undefined` if it moves nowhere. */
export function dayAfterKey(key: string, index: number, count: number): number | undefined {
	const moves: Readonly<Record<string, number>> = {
		ArrowLeft: index - 1,
		ArrowDown: index - 1,
		ArrowRight: index + 1,
		ArrowUp: index + 1,
		PageDown: index - 7,
		PageUp: index + 7,
		Home: 0,
		End: count - 1,
	};
	if (!Object.hasOwn(moves, key)) return undefined;
	return Math.min(count - 1, Math.max(0, moves[key] ?? index));
}

/** The days that have their date below them: few enough for a phone, evenly apart, the last one among them. */
export function labelledDays(count: number): readonly number[] {
	const step = count <= 7 ? (count <= 4 ? 1 : 2) : Math.ceil(count / 4);
	const indexes: number[] = [];
	for (let index = count - 1; index >= 0; index -= step) indexes.unshift(index);
	return indexes;
}
