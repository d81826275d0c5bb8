import { Center, Loader, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Center.css';
import { frameTexts } from '../texts/frame.ts';

/** Something is being read. */
export function Loading() {
	return (
		<Center mih={200} role="status">
			<Loader size="sm" />
			<VisuallyHidden>{frameTexts.loading}</VisuallyHidden>
		</Center>
	);
}
