import classes from './chart.module.css';
import type { Series } from './series.ts';

/** The name of a series, with its colour in the chart. */
export function Swatched({ series }: { readonly series: Series }) {
	return (
		<>
			<Swatch series={series} /> <span className={classes.name}>{series.name}</span>
		</>
	);
}

export function Swatch({ series: { color } }: { readonly series: Series }) {
	return <span className={classes.swatch} data-color={color} />;
}
