import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { Section } from '../../../frame/section.tsx';
import { overviewTexts } from '../../../texts/overview.ts';
import { useStatement } from '../../statement/api/use-statement.ts';
import { MovementsTable } from '../../statement/components/movements-table.tsx';

const SHOWN = 10;
/** The height of ten rows. */
const HEIGHT = 460;

/** The last movements of the balance. */
export function RecentSection() {
	const query = useStatement({ filter: {} });
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
					const movements = pages[0]?.movements.slice(0, SHOWN) ?? [];
					if (movements.length === 0) return <Empty>{overviewTexts.noMovements}</Empty>;
					return <MovementsTable movements={movements} perspective="reseller" />;
				}}
			</Answered>
		</Section>
	);
}
