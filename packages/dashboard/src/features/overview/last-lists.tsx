import type { BandwidthTime } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../lists/empty.tsx';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { TopSection } from '../bandwidth/top-section.tsx';
import { MovementsTable } from '../statement/movements-table.tsx';
import { rowsOfStatement, useStatement } from '../statement/use-statement.ts';
import { overviewTexts } from './texts.ts';

const SHOWN = 10;
/** The height of ten rows. */
const HEIGHT = 460;

/** The sub-users that used most, and the last movements of the balance. */
export function LastLists({ time }: { readonly time: BandwidthTime }) {
	return (
		// The transactions need more than half of a wide screen.
		<Columns least={570} wide="last">
			<TopSection time={time} />
			<RecentSection />
		</Columns>
	);
}

function RecentSection() {
	const query = useStatement({ filter: { money: 'own' } });
	return (
		<Section
			title={overviewTexts.recent}
			lead={overviewTexts.recentLead}
			actions={
				<Anchor component={Link} href="/statement" size="sm">
					{overviewTexts.statement}
				</Anchor>
			}
		>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{({ pages }) => {
					const rows = pages.flatMap(rowsOfStatement).slice(0, SHOWN);
					if (rows.length === 0) return <Empty>{overviewTexts.noMovements}</Empty>;
					return <MovementsTable rows={rows} perspective="reseller" />;
				}}
			</Answered>
		</Section>
	);
}
