import { bandwidthTexts } from '../texts.ts';
import classes from './chart.module.css';
import { middleOf, spanText, sumOf } from './chart.ts';
import type { ChartProps, Series } from './series.ts';

interface Props extends Pick<ChartProps, 'spans' | 'series' | 'before' | 'unit' | 'valueText'> {
	/** Which span. */
	readonly index: number;
}

/** The figures of the chosen span. They stand beside its bar, on the side with more room. */
export function ChartTooltip({ spans, series, before, unit, valueText, index }: Props) {
	const { at = '', values = [] } = spans[index] ?? {};
	const middle = middleOf(index, spans.length);
	return (
		<div
			className={classes.tooltip}
			aria-hidden="true"
			style={middle < 50 ? { left: `calc(${middle}% + 12px)` } : { right: `calc(${100 - middle}% + 12px)` }}
		>
			<strong>{spanText(at, unit)}</strong>
			<dl>
				{series.map((one, seriesIndex) => (
					<div key={one.key}>
						<dt>
							<Swatched series={one} />
						</dt>
						<dd>{valueText(values[seriesIndex] ?? 0)}</dd>
					</div>
				))}
				{series.length > 1 && (
					<div>
						<dt>{bandwidthTexts.total}</dt>
						<dd>{valueText(sumOf(values))}</dd>
					</div>
				)}
				{before && (
					<div>
						<dt>{bandwidthTexts.before}</dt>
						<dd>{valueText(before[index] ?? 0)}</dd>
					</div>
				)}
			</dl>
		</div>
	);
}

/** The name of a series, with its colour in the chart. */
function Swatched({ series }: { readonly series: Series }) {
	return (
		<>
			<Swatch series={series} /> <span className={classes.name}>{series.name}</span>
		</>
	);
}

export function Swatch({ series: { color } }: { readonly series: Series }) {
	return <span className={classes.swatch} data-color={color} />;
}
