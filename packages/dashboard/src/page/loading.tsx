import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import classes from './page.module.css';
import { pageTexts } from './texts.ts';

/** The widths of the lines that stand for what is being read. */
const LINES = ['45%', '90%', '75%'];

/** Something is being read. */
export function Loading() {
	return (
		<Stack mih={200} gap="md" py="md" role="status" className={classes.late}>
			{LINES.map((width) => (
				<Skeleton key={width} height={16} width={width} animate={false} opacity={0.45} />
			))}
			<VisuallyHidden>{pageTexts.loading}</VisuallyHidden>
		</Stack>
	);
}

/** The code of a page is being loaded. */
export function PageLoading() {
	return (
		<Stack gap="lg" role="status" className={classes.late}>
			<Stack gap={10}>
				<Skeleton height={30} width={220} animate={false} opacity={0.45} />
				<Skeleton height={16} width="45%" animate={false} opacity={0.45} />
			</Stack>
			<Skeleton height={240} animate={false} opacity={0.45} />
			<VisuallyHidden>{pageTexts.loading}</VisuallyHidden>
		</Stack>
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
