import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Page } from '../page/page.tsx';
import { shellTexts } from './texts.ts';

export function NotFound() {
	return (
		<Page title={shellTexts.notFoundTitle} lead={shellTexts.notFound}>
			<Text>
				<Anchor component={Link} href="/">
					{shellTexts.toStart}
				</Anchor>
			</Text>
		</Page>
	);
}
