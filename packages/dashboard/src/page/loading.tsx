import '@mantine/core/styles/Center.css';
import '@mantine/core/styles/Skeleton.css';
import { Center, Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './loading.module.css';
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
		<Skeleton height={height} animate={false} opacity={0.45} className={classes.late} role="status">
			<VisuallyHidden>{pageTexts.loading}</VisuallyHidden>
		</Skeleton>
	);
}
