import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';

export function NotFound() {
	return (
		<Page title={frameTexts.notFoundTitle} lead={frameTexts.notFound}>
			<Text>
				<Anchor component={Link} href="/">
					{frameTexts.toStart}
				</Anchor>
			</Text>
		</Page>
	);
}
