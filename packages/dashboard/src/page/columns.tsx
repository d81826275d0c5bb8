import type { ReactNode } from 'react';
import classes from './page.module.css';

/** Cards side by side on a wide screen, and below each other on others. */
export function Columns({ children }: { readonly children: ReactNode }) {
	return <div className={classes.columns}>{children}</div>;
}
