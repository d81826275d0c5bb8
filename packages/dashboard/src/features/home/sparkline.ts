/** The height of the drawing. The width is 100. */
export const HEIGHT = 32;
/** How high a bar with something in it is at least: less could not be seen. */
const LEAST = 1.5;
/** A bar takes this part of its width, and the rest is the gap. */
const BAR_PART = 0.7;

interface Bar {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Bars from the ground up, one for each value, none of which is below zero. */
export function barsOf(values: readonly number[]): readonly Bar[] {
	const top = Math.max(1, ...values);
	const step = 100 / values.length;
	return values.map((value, index) => {
		const height = value === 0 ? 0 : Math.max(LEAST, (value / top) * HEIGHT);
		return { x: index * step + (step * (1 - BAR_PART)) / 2, y: HEIGHT - height, width: step * BAR_PART, height };
	});
}

/** The points of a line from edge to edge, the lowest value on the ground: it shows changes, not sizes. */
export function pointsOf(values: readonly number[]): string {
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const step = 100 / Math.max(1, values.length - 1);
	const room = HEIGHT - 2;
	return values
		.map((value, index) => {
			const part = high === low ? 0.5 : (value - low) / (high - low);
			return `${round(index * step)},${round(HEIGHT - 1 - part * room)}`;
		})
		.join(' ');
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
