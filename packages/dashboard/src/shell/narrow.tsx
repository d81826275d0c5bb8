import { Alert, Anchor, Box, Center, Container, Paper, Stack, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ProductName } from '../mark/mark.tsx';
import { Page } from '../page/page.tsx';
import { LanguageField } from '../preferences/preference-fields.tsx';
import { shellTexts } from './texts.ts';

/** What stands around pages that need no navigation: sign-in, invitation. */
export function Narrow({ children }: { readonly children: ReactNode }) {
	return (
		<Box component="main" mih="100vh" bg="var(--bursar-ground)" py={{ base: 'xl', sm: 80 }}>
			<Container size={460}>
				<Stack gap="lg">
					<Center>
						<ProductName />
					</Center>
					<OfflineNote />
					<Paper withBorder p={{ base: 'lg', sm: 'xl' }}>
						{children}
					</Paper>
					<Center>
						<LanguageField />
					</Center>
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

/** Says that the browser is offline, while it is. */
export function OfflineNote() {
	const { online } = useNetwork();
	return <div role="status">{!online && <Alert color="yellow">{shellTexts.offline}</Alert>}</div>;
}
