import type { ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
	readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
}

/** A few named values, side by side where there is room. */
export function Facts({ facts }: Props) {
	return (
		<dl className={classes.facts}>
			{facts.map(({ name, value }) => (
				<div key={name}>
					<dt className={classes.name}>{name}</dt>
					<dd className={classes.value}>{value}</dd>
				</div>
			))}
		</dl>
	);
}
