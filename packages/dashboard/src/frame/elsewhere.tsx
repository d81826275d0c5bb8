import { Anchor, Text } from '@mantine/core';
import { frameTexts } from '../texts/frame.ts';
import { Narrow } from './narrow.tsx';
import { Page } from './page.tsx';

/** The page was opened at an address at which the dashboard does not work. */
export function Elsewhere({ publicUrl }: { readonly publicUrl: string }) {
	const { pathname, search, hash } = window.location;
	return (
		<Narrow>
			<Page title={frameTexts.elsewhereTitle}>
				<Text>{frameTexts.elsewhere}</Text>
				<Anchor href={publicUrl + pathname + search + hash}>{publicUrl}</Anchor>
			</Page>
		</Narrow>
	);
}
