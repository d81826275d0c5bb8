import type { ReactNode } from 'react';
import classes from './page.module.css';

/** Says what was done. It is there before its text, so that the text is read aloud; without a text it takes no room. */
export function Done({ children }: { readonly children: ReactNode }) {
	return (
		<p className={classes.done} role="status">
			{children}
		</p>
	);
}
