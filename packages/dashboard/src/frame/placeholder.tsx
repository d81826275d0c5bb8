import { VisuallyHidden } from '@mantine/core';
import { frameTexts } from '../texts/frame.ts';
import classes from './placeholder.module.css';

/** Keeps the room of what is being read, so that nothing jumps when it is there. `height` is in pixels. */
export function Placeholder({ height }: { readonly height: number }) {
	return (
		<div className={classes.placeholder} style={{ height }} role="status">
			<VisuallyHidden>{frameTexts.loading}</VisuallyHidden>
		</div>
	);
}
