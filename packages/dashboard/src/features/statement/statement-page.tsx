import { Paper } from '@mantine/core';
import { browserZone } from '../../format/days.ts';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { StatementList } from './statement-list.tsx';
import { statementTexts } from './texts.ts';

/** All movements of the reseller's money. */
export function StatementPage() {
	return (
		<Page title={pageNames.statement} lead={statementTexts.lead(browserZone())}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<StatementList />
			</Paper>
		</Page>
	);
}
