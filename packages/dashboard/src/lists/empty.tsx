import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
	/** Buttons that lead to something. */
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** Says that a list has nothing in it, and why. */
export function Empty({ actions, children }: Props) {
	return (
		<Paper withBorder p="lg">
			<Stack align="center" gap="md">
				<Text c="dimmed" ta="center">
					{children}
				</Text>
				{actions && <Group justify="center">{actions}</Group>}
			</Stack>
		</Paper>
	);
}
