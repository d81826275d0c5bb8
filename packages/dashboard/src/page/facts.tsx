import type { ReactNode } from 'react';
import classes from './page.module.css';

export interface Fact {
	/** Tells it from the others. */
	readonly name: string;
	/** Shown instead of the name. */
	readonly label?: ReactNode;
	readonly value?: ReactNode;
	/** Whether it is the sum of those before it. */
	readonly isSum?: boolean;
}

interface Props {
	readonly facts: readonly Fact[];
	/** Each value below its name, in columns; or beside it, in lines or all in a row. */
	readonly as?: 'columns' | 'lines' | 'row';
	/** Whether all values are as short as amounts, so that more columns fit. */
	readonly isShort?: boolean;
}

/** A few named values. */
export function Facts({ facts, as = 'columns', isShort }: Props) {
	return (
		<dl className={classes.facts} data-as={as} data-short={isShort || undefined}>
			{facts.map(({ name, label = name, value, isSum }) => (
				<div key={name} data-sum={isSum || undefined}>
					<dt>{label}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}
