import { Anchor } from '@mantine/core';
import { Suspense } from 'react';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { Empty } from '../../lists/empty.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { lazyPage } from '../../page/lazy-page.ts';
import { Placeholder } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthFields, timeOf } from '../bandwidth/bandwidth-state.ts';
import { TopSection } from '../bandwidth/top-section.tsx';
import { MovementsTable } from '../statement/movements-table.tsx';
import { useStatement } from '../statement/use-statement.ts';
import { BalanceSection } from './balance-section.tsx';
import classes from './overview.module.css';
import { SubUsersSection } from './sub-users-section.tsx';
import { overviewTexts } from './texts.ts';
import { ThisMonthSection } from './this-month-section.tsx';

/** Most resellers of a service have no price, so its code is not in the first load. */
const Metering = lazyPage(async () => (await import('./metering-section.tsx')).MeteringSection);

const DIVISIONS = ['sub_user', 'edge'] as const;
const fields = bandwidthFields('30d', DIVISIONS);
const OWN = { kind: 'own' } as const;
const MINUTE_MS = 60_000;

/** The business of a reseller at a glance. */
export function OverviewPage({ reseller }: { readonly reseller: string }) {
	const [state, change] = useUrlState(fields);
	const nowMs = useServerNow(MINUTE_MS);
	return (
		<Page title={pageNames.overview} lead={overviewTexts.lead(reseller)}>
			<div className={classes.cards}>
				<BalanceSection />
				<ThisMonthSection />
				<SubUsersSection />
			</div>
			<BandwidthSection whose={OWN} divisions={DIVISIONS} state={state} onChange={change} />
			<Columns>
				<TopSection time={timeOf(state, nowMs)} />
				<RecentSection />
			</Columns>
			<MeteringPart />
		</Page>
	);
}

/** How long balances last, if they pay for bandwidth. */
function MeteringPart() {
	const { data } = useRead('/overview', {}, { everyMs: 30_000 });
	if (!data || data.price === null) return null;
	return (
		<Suspense fallback={<Placeholder height={HEIGHT} />}>
			<Metering />
		</Suspense>
	);
}

const SHOWN = 10;
/** The height of ten rows. */
const HEIGHT = 460;

/** The last movements of the balance. */
function RecentSection() {
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
