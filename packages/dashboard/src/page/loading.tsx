import '@mantine/core/styles/Center.css';
import { Center, Loader, VisuallyHidden } from '@mantine/core';
import classes from './placeholder.module.css';
import { pageTexts } from './texts.ts';

/** Something is being read. */
export function Loading() {
	return (
		<Center mih={200} role="status">
			<Loader size="sm" />
			<VisuallyHidden>{pageTexts.loading}</VisuallyHidden>
		</Center>
	);
}

/** Keeps the room of what is being read, so that nothing jumps when it is there. `height` is in pixels. */
export function Placeholder({ height }: { readonly height: number }) {
	return (
		<div className={classes.placeholder} style={{ height }} role="status">
			<VisuallyHidden>{pageTexts.loading}</VisuallyHidden>
		</div>
	);
}
