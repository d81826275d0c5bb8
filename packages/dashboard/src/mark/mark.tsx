import { Group, Text } from '@mantine/core';
import { pageTexts } from '../page/texts.ts';

/** The name of the product with its mark: a letter b around a coin. `mark.svg` is the same for the tab of the browser. */
export function ProductName() {
	return (
		<Group gap={8} wrap="nowrap">
			<svg width={26} height={26} style={{ flex: 'none' }} viewBox="0 0 32 32" aria-hidden="true">
				<rect width="32" height="32" rx="8" fill="var(--mantine-color-indigo-8)" />
				<rect x="8.5" y="6" width="3.5" height="20" rx="1.75" fill="#fff" />
				<circle cx="17.5" cy="19.5" r="5.25" fill="none" stroke="#fff" strokeWidth="3.5" />
				<circle cx="17.5" cy="19.5" r="1.5" fill="#fff" />
			</svg>
			<Text fw={700} size="lg">
				{pageTexts.product}
			</Text>
		</Group>
	);
}
