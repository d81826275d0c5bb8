import { Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { bytesText, roundBytesText } from '../../format/bytes.ts';
import { dayText, shortDayText } from '../../format/days.ts';
import { moneyText } from '../../format/money.ts';
import classes from './bandwidth.module.css';
import { barsOf, type ChartDay, dayAfterKey, dayAt, labelledDays, middleOf, type Scale, scaleOf } from './chart.ts';
import { bandwidthTexts } from './texts.ts';

interface Props {
	/** At least one, and at least one with usage. */
	readonly days: readonly ChartDay[];
	readonly measure?: Measure;
}

/** What the bars show. */
interface Measure {
	readonly label: string;
	/** A value of the vertical axis. */
	scaleText(value: number): string;
	/** A day as it is read out. */
	dayValue(day: ChartDay): string;
	/** The figures of a day. */
	readonly figures: (day: ChartDay) => readonly { readonly name: ReactNode; readonly value: string }[];
}

const BANDWIDTH: Measure = {
	label: bandwidthTexts.chart,
	scaleText: roundBytesText,
	dayValue: ({ date, up, down }) => bandwidthTexts.dayValue(dayText(date), bytesText(down), bytesText(up)),
	figures: ({ up, down }) => [
		{ name: <Swatched of="down" />, value: bytesText(down) },
		{ name: <Swatched of="up" />, value: bytesText(up) },
		{ name: bandwidthTexts.total, value: bytesText(up + down) },
	],
};

export const COST: Measure = {
	label: bandwidthTexts.costChart,
	scaleText: moneyText,
	dayValue: ({ date, down }) => `${dayText(date)}: ${moneyText(down)}`,
	figures: ({ down }) => [{ name: bandwidthTexts.cost, value: moneyText(down) }],
};

/**
 * Bars of the bandwidth, or of something else, of each day. Pointer, finger and arrow keys choose a day. For screen readers it is a slider over
 * the days, so the chosen day is read out.
 */
export function BandwidthChart({ days, measure = BANDWIDTH }: Props) {
	const [chosen, setChosen] = useState<number>();
	const scale = scaleOf(Math.max(...days.map(({ up, down }) => up + down)));
	const last = days.length - 1;
	// Other days may have come meanwhile.
	const index = chosen === undefined ? undefined : Math.min(chosen, last);
	const read = days[index ?? last];

	function chooseByPointer({ clientX, currentTarget }: PointerEvent<HTMLElement>) {
		const { left, width } = currentTarget.getBoundingClientRect();
		setChosen(dayAt((clientX - left) / width, days.length));
	}
	function chooseByKey(event: KeyboardEvent<HTMLElement>) {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		if (event.key === 'Escape') setChosen(undefined);
		// The first key shows where one is.
		const next = index === undefined ? dayAfterKey(event.key, last + 1, days.length) : undefined;
		const moved = next ?? dayAfterKey(event.key, index ?? last, days.length);
		if (moved === undefined) return;
		event.preventDefault();
		setChosen(moved);
	}

	return (
		<div className={classes.chart}>
			<ScaleTexts scale={scale} textOf={measure.scaleText} />
			<div
				className={classes.plot}
				role="slider"
				tabIndex={0}
				aria-label={measure.label}
				aria-valuemin={1}
				aria-valuemax={days.length}
				aria-valuenow={(index ?? last) + 1}
				aria-valuetext={read && measure.dayValue(read)}
				onPointerMove={chooseByPointer}
				onPointerDown={(event) => {
					// So that a touch elsewhere closes what a finger has opened.
					event.currentTarget.focus({ preventScroll: true });
					chooseByPointer(event);
				}}
				// A finger that was lifted has not gone elsewhere: its day stays.
				onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(undefined)}
				onKeyDown={chooseByKey}
				onBlur={() => setChosen(undefined)}
			>
				<Bars days={days} scale={scale} chosen={index} />
				{index !== undefined && read && (
					<DayTooltip date={read.date} figures={measure.figures(read)} middle={middleOf(index, days.length)} />
				)}
			</div>
			<div className={classes.dates} aria-hidden="true">
				{labelledDays(days.length).map((labelled) => {
					const middle = middleOf(labelled, days.length);
					return (
						<span key={labelled} style={{ left: `${middle}%`, transform: `translateX(-${edged(middle)}%)` }}>
							{shortDayText(days[labelled]?.date ?? '')}
						</span>
					);
				})}
			</div>
		</div>
	);
}

/** A date stands in the middle below its bar, but never beyond the edge of the chart. */
function edged(middle: number): number {
	if (middle < 8) return middle;
	return middle > 92 ? middle : 50;
}

interface ScaleTextsProps {
	readonly scale: Scale;
	readonly textOf: Measure['scaleText'];
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

interface BarsProps extends Pick<Props, 'days'> {
	readonly scale: Scale;
	readonly chosen: number | undefined;
}

function Bars({ days, scale: { top, lines }, chosen }: BarsProps) {
	return (
		<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
			{lines.map((line) => {
				const y = 100 - (line / top) * 100;
				return <line key={line} className={classes.line} x1={0} x2={100} y1={y} y2={y} />;
			})}
			{barsOf(days, top).map(({ x, width, up, down }, index) => (
				<g
					key={days[index]?.date}
					className={classes.bar}
					data-dimmed={(chosen !== undefined && chosen !== index) || undefined}
				>
					<rect className={classes.down} x={x} width={width} y={100 - down} height={down} />
					<rect className={classes.up} x={x} width={width} y={100 - down - up} height={up} />
				</g>
			))}
		</svg>
	);
}

interface DayTooltipProps {
	readonly date: string;
	readonly figures: ReturnType<Measure['figures']>;
	/** The middle of its bar, in percent of the chart's width. */
	readonly middle: number;
}

/** The figures of the chosen day. They stand beside its bar, on the side where there is more room. */
function DayTooltip({ date, figures, middle }: DayTooltipProps) {
	return (
		<div
			className={classes.tooltip}
			aria-hidden="true"
			style={middle < 50 ? { left: `calc(${middle}% + 12px)` } : { right: `calc(${100 - middle}% + 12px)` }}
		>
			<strong>{dayText(date)}</strong>
			<dl>
				{figures.map(({ name, value }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
					<Fragment key={index}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</Fragment>
				))}
			</dl>
		</div>
	);
}

/** A direction, with its colour in the chart. */
export function Swatched({ of }: { readonly of: 'up' | 'down' }) {
	return (
		<>
			<Swatch of={of} /> {bandwidthTexts[of]}
		</>
	);
}

function Swatch({ of }: { readonly of: 'up' | 'down' }) {
	return <span className={`${classes.swatch} ${classes[of]}`} />;
}
