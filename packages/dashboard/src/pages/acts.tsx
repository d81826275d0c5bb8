import { Paper } from '@mantine/core';
import { ActsList } from '../features/all-acts/components/acts-list.tsx';
import { browserZone } from '../format/days.ts';
import { Page } from '../frame/page.tsx';
import { actsTexts } from '../texts/acts.ts';
import { frameTexts } from '../texts/frame.ts';

/** What all people did, for operators. */
export function Acts() {
	return (
		<Page title={frameTexts.acts} lead={actsTexts.lead(browserZone())}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ActsList />
			</Paper>
		</Page>
	);
}
