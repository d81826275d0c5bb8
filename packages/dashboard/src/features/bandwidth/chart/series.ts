import type { BandwidthPart } from '@bursar/contract/dashboard';
import { bandwidthTexts } from '../texts.ts';
import { type ChartSpan, sumOf, type Unit } from './chart.ts';

/** The parts of all bars that show the same thing, like downloads. */
export interface Series {
	readonly key: string;
	readonly name: string;
	readonly color: Color;
}

/** What a chart shows. */
export interface ChartProps {
	/** Names the chart. */
	readonly label: string;
	readonly unit: Unit;
	/** At least one, and at least one with a value. */
	readonly spans: readonly ChartSpan[];
	readonly series: readonly Series[];
	/** The sum of each span before, which a line shows. */
	readonly before?: readonly number[] | undefined;
	/** A value as it is read. */
	readonly valueText: (value: number) => string;
	/** A round value beside a line of the scale. */
	readonly scaleText: (value: number) => string;
}

type Color = 'down' | 'up' | 'cost' | 'rest' | `part-${number}`;

export const DOWN: Series = { key: 'down', name: bandwidthTexts.down, color: 'down' };
export const UP: Series = { key: 'up', name: bandwidthTexts.up, color: 'up' };
export const COST: Series = { key: 'cost', name: bandwidthTexts.cost, color: 'cost' };

/** One for each part, and one for the rest if there is a rest. */
export function seriesOfParts(parts: readonly BandwidthPart[], restName: string | undefined): readonly Series[] {
	return [
		...parts.map(({ name }, index): Series => ({ key: `of ${name}`, name, color: `part-${index}` })),
		...(restName === undefined ? [] : [{ key: 'rest', name: restName, color: 'rest' } as const]),
	];
}

/** The values of a span: of each part, and of the rest. A correction may have left less than the parts have together. */
export function valuesOfParts(parts: readonly BandwidthPart[], index: number, total: number): readonly number[] {
	const values = parts.map((part) => part.values[index] ?? 0);
	return [...values, Math.max(0, total - sumOf(values))];
}
