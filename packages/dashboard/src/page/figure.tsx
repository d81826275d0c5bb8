import type { ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
	/** A sentence or two below it. */
	readonly note?: ReactNode;
	/** Whether it says that something is not as it should be. */
	readonly isWrong?: boolean;
	readonly children: string;
}

/** A number that is looked at often, or a word instead. */
export function Figure({ note, isWrong, children }: Props) {
	return (
		<div className={classes.figure}>
			<div className={classes.number} data-wrong={isWrong || undefined}>
				{children}
			</div>
			{note && <div className={classes.note}>{note}</div>}
		</div>
	);
}
