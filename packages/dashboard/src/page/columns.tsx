import type { CSSProperties, ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
	/** How wide each is at least beside others, in pixels. */
	readonly least: number;
	/** Which of two has three fifths of the width. */
	readonly wide?: 'first' | 'last';
	readonly children: ReactNode;
}

/** Cards side by side if they fit, equally high. One that is alone in its line takes all of it. */
export function Columns({ least, wide, children }: Props) {
	return (
		<div className={classes.columns} data-wide={wide} style={{ '--least': `${least}px` } as CSSProperties}>
			{children}
		</div>
	);
}
