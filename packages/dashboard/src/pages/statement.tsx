import { Paper } from '@mantine/core';
import { StatementList } from '../features/statement/components/statement-list.tsx';
import { browserZone } from '../format/days.ts';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { statementTexts } from '../texts/statement.ts';

/** All movements of the reseller's money. */
export function Statement() {
	return (
		<Page title={frameTexts.statement} lead={statementTexts.lead(browserZone())}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<StatementList />
			</Paper>
		</Page>
	);
}
