import classes from './bandwidth.module.css';

/** The colour of a direction in the chart. */
export function Swatch({ of }: { readonly of: 'up' | 'down' }) {
	return <span className={`${classes.swatch} ${classes[of]}`} />;
}
