import { Box, Container, Paper, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Container.css';
import type { ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';
import classes from './narrow.module.css';
import { OfflineNote } from './offline-note.tsx';

/** What stands around pages that need no navigation: sign-in, invitation. */
export function Narrow({ children }: { readonly children: ReactNode }) {
	return (
		<Box component="main" className={classes.ground} py={{ base: 'xl', sm: 80 }}>
			<Container size={460}>
				<Stack gap="lg">
					<Text fw={700} size="xl" ta="center">
						{frameTexts.product}
					</Text>
					<OfflineNote />
					<Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
						{children}
					</Paper>
				</Stack>
			</Container>
		</Box>
	);
}
