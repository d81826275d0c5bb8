import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that a list has nothing in it, and why. */
export function Empty({ children }: { readonly children: ReactNode }) {
	return (
		<Paper withBorder p="lg">
			<Text c="dimmed" ta="center">
				{children}
			</Text>
		</Paper>
	);
}
