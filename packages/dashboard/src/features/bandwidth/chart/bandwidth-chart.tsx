import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { bandwidthTexts } from '../texts.ts';
import classes from './chart.module.css';
import {
	barsOf,
	labelledSpans,
	lineOf,
	middleOf,
	PAGE_STEPS,
	type Scale,
	scaleOf,
	shortSpanText,
	spanAfterKey,
	spanAt,
	spanText,
	sumOf,
} from './chart.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { ChartProps } from './series.ts';

/**
 * Bars of hours or days, each divided into parts. Pointer, finger and arrow keys choose one. For screen readers it is a
 * slider over them, so the chosen one is read out.
 */
export function BandwidthChart(props: ChartProps) {
	const { label, unit, spans, before, scaleText } = props;
	const [chosen, setChosen] = useState<number>();
	const scale = scaleOf(Math.max(...spans.map(({ values }) => sumOf(values)), ...(before ?? [])));
	const last = spans.length - 1;
	// Other spans may have come meanwhile.
	const index = chosen === undefined ? undefined : Math.min(chosen, last);

	function chooseByPointer({ clientX, currentTarget }: PointerEvent<HTMLElement>) {
		const { left, width } = currentTarget.getBoundingClientRect();
		setChosen(spanAt((clientX - left) / width, spans.length));
	}
	function chooseByKey(event: KeyboardEvent<HTMLElement>) {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		if (event.key === 'Escape') setChosen(undefined);
		const move = (from: number) => spanAfterKey(event.key, from, spans.length, PAGE_STEPS[unit]);
		// The first key shows where one is.
		const moved = (index === undefined ? move(last + 1) : undefined) ?? move(index ?? last);
		if (moved === undefined) return;
		event.preventDefault();
		setChosen(moved);
	}

	return (
		<div className={classes.chart}>
			<ScaleTexts scale={scale} textOf={scaleText} />
			<div
				className={classes.plot}
				role="slider"
				tabIndex={0}
				aria-label={label}
				aria-valuemin={1}
				aria-valuemax={spans.length}
				aria-valuenow={(index ?? last) + 1}
				aria-valuetext={spokenSpan(props, index ?? last)}
				onPointerMove={chooseByPointer}
				onPointerDown={(event) => {
					// So that a touch elsewhere closes what a finger has opened.
					event.currentTarget.focus({ preventScroll: true });
					chooseByPointer(event);
				}}
				// A finger that was lifted has not gone elsewhere: what it chose stays.
				onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(undefined)}
				onKeyDown={chooseByKey}
				onBlur={() => setChosen(undefined)}
			>
				<Bars {...props} scale={scale} chosen={index} />
				{index !== undefined && <ChartTooltip {...props} index={index} />}
			</div>
			<SpanLabels spans={spans} unit={unit} />
		</div>
	);
}

function spokenSpan({ spans, unit, series, before, valueText }: ChartProps, index: number): string {
	const { at = '', values = [] } = spans[index] ?? {};
	const figures = series.map(({ name }, seriesIndex) =>
		bandwidthTexts.figure(name, valueText(values[seriesIndex] ?? 0)),
	);
	if (before) figures.push(bandwidthTexts.figure(bandwidthTexts.before, valueText(before[index] ?? 0)));
	return bandwidthTexts.spanValue(spanText(at, unit), figures.join(', '));
}

interface ScaleTextsProps {
	readonly scale: Scale;
	readonly textOf: (value: number) => string;
}

function ScaleTexts({ scale: { top, lines }, textOf }: ScaleTextsProps) {
	return (
		<div className={classes.scale} aria-hidden="true">
			{lines.map((line) => (
				<span key={line} style={{ top: `${100 - (line / top) * 100}%` }}>
					{textOf(line)}
				</span>
			))}
		</div>
	);
}

interface BarsProps extends Pick<ChartProps, 'spans' | 'series' | 'before'> {
	readonly scale: Scale;
	readonly chosen: number | undefined;
}

function Bars({ spans, series, before, scale: { top, lines }, chosen }: BarsProps) {
	return (
		<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
			{lines.map((line) => {
				const y = 100 - (line / top) * 100;
				return <line key={line} className={classes.line} x1={0} x2={100} y1={y} y2={y} />;
			})}
			{barsOf(spans, top).map(({ x, width, parts }, index) => (
				<g
					key={spans[index]?.at}
					className={classes.bar}
					data-dimmed={(chosen !== undefined && chosen !== index) || undefined}
				>
					{series.map(({ key, color }, seriesIndex) => {
						const { from = 0, height = 0 } = parts[seriesIndex] ?? {};
						return <rect key={key} data-color={color} x={x} width={width} y={100 - from - height} height={height} />;
					})}
				</g>
			))}
			{before && <path className={classes.before} d={lineOf(before, top)} />}
		</svg>
	);
}

function SpanLabels({ spans, unit }: Pick<ChartProps, 'spans' | 'unit'>) {
	return (
		<div className={classes.dates} aria-hidden="true">
			{labelledSpans(spans.length).map((labelled) => {
				const middle = middleOf(labelled, spans.length);
				return (
					<span key={labelled} style={{ left: `${middle}%`, transform: `translateX(-${edged(middle)}%)` }}>
						{shortSpanText(spans[labelled]?.at ?? '', unit, spans.length)}
					</span>
				);
			})}
		</div>
	);
}

/** A label stands in the middle below its bar, but never beyond the edge of the chart. */
function edged(middle: number): number {
	if (middle < 8) return middle;
	return middle > 92 ? middle : 50;
}
