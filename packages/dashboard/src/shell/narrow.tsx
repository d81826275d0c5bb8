import '@mantine/core/styles/Container.css';
import { Anchor, Box, Container, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../page/page.tsx';
import classes from './narrow.module.css';
import { OfflineNote } from './offline-note.tsx';
import { shellTexts } from './texts.ts';

/** What stands around pages that need no navigation: sign-in, invitation. */
export function Narrow({ children }: { readonly children: ReactNode }) {
	return (
		<Box component="main" className={classes.ground} py={{ base: 'xl', sm: 80 }}>
			<Container size={460}>
				<Stack gap="lg">
					<Text fw={700} size="xl" ta="center">
						{shellTexts.product}
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

/** The page was opened at an address at which the dashboard does not work. */
export function Elsewhere({ publicUrl }: { readonly publicUrl: string }) {
	const { pathname, search, hash } = window.location;
	return (
		<Narrow>
			<Page title={shellTexts.elsewhereTitle}>
				<Text>{shellTexts.elsewhere}</Text>
				<Anchor href={publicUrl + pathname + search + hash}>{publicUrl}</Anchor>
			</Page>
		</Narrow>
	);
}
