import { dayText, shortDayText } from '../../../format/days.ts';
import { clockText, momentText, shortLocalDayText } from '../../../format/time.ts';

/** An hour or a day of a chart. */
export interface ChartSpan {
	/** Its start. */
	readonly at: string;
	/** One for each series. The first stands on the ground, and each other one on the one before it. */
	readonly values: readonly number[];
}

/** How high a part of a bar with some usage is at least, in percent of the chart: less could not be seen. */
const SEEN_PERCENT = 1;
const STEPS = 4;
/** What looks round, times a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A bar takes this part of its span's width, and the rest is the gap. */
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

/** A part of a bar, in percent of the chart's height. It begins so far above the ground. */
interface BarPart {
	readonly from: number;
	readonly height: number;
}

/** One bar, in percent of the chart's width. */
interface Bar {
	readonly x: number;
	readonly width: number;
	readonly parts: readonly BarPart[];
}

export function barsOf(spans: readonly ChartSpan[], top: number): readonly Bar[] {
	const spanWidth = 100 / spans.length;
	return spans.map(({ values }, index) => {
		let from = 0;
		const parts = values.map((value) => {
			const part = { from, height: heightOf(value, top) };
			from += part.height;
			return part;
		});
		return { x: index * spanWidth + (spanWidth * (1 - BAR_PART)) / 2, width: spanWidth * BAR_PART, parts };
	});
}

function heightOf(value: number, top: number): number {
	return value === 0 ? 0 : Math.max(SEEN_PERCENT, (value / top) * 100);
}

export function sumOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0);
}

/** A line through the middles of spans, as the path of an SVG of 100 by 100. */
export function lineOf(values: readonly number[], top: number): string {
	return values
		.map((value, index) => `${index === 0 ? 'M' : 'L'}${middleOf(index, values.length)} ${100 - (value / top) * 100}`)
		.join('');
}

/** The middle of a span, in percent of the chart's width. */
export function middleOf(index: number, count: number): number {
	return ((index + 0.5) / count) * 100;
}

/** The span at a part of the chart's width, from 0 to 1. */
export function spanAt(part: number, count: number): number {
	return Math.min(count - 1, Math.max(0, Math.floor(part * count)));
}

/** How far the keys for pages move: a week of days, or a day of hours. */
export const PAGE_STEPS = { day: 7, hour: 24 } as const;

/** The span that a key moves to; `undefined` if it moves nowhere. */
export function spanAfterKey(key: string, index: number, count: number, pageStep: number): number | undefined {
	const moves: Readonly<Record<string, number>> = {
		ArrowLeft: index - 1,
		ArrowDown: index - 1,
		ArrowRight: index + 1,
		ArrowUp: index + 1,
		PageDown: index - pageStep,
		PageUp: index + pageStep,
		Home: 0,
		End: count - 1,
	};
	if (!Object.hasOwn(moves, key)) return undefined;
	return Math.min(count - 1, Math.max(0, moves[key] ?? index));
}

/** The spans that have their time below them: few enough for a phone, evenly apart, the last one among them. */
export function labelledSpans(count: number): readonly number[] {
	const step = count <= 7 ? (count <= 4 ? 1 : 2) : Math.ceil(count / 4);
	const indexes: number[] = [];
	for (let index = count - 1; index >= 0; index -= step) indexes.unshift(index);
	return indexes;
}

export type Unit = 'hour' | 'day';

/** Up to so many hours are named by the time of day; more of them by their day. */
const HOURS_BY_CLOCK = 48;

/** An hour in the time zone of the pages, or a UTC day. `at` is its start. */
export function spanText(at: string, unit: Unit): string {
	return unit === 'day' ? dayText(at) : momentText(at);
}

/** The same, as short as it stands below a chart of so many spans. */
export function shortSpanText(at: string, unit: Unit, count: number): string {
	if (unit === 'day') return shortDayText(at);
	return count <= HOURS_BY_CLOCK ? clockText(at) : shortLocalDayText(at);
}
