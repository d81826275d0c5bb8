import type { ShownDays } from '@bursar/contract/dashboard';
import { BandwidthSection } from '../features/bandwidth/components/bandwidth-section.tsx';
import { DaysChoice, SHOWN_DAYS } from '../features/bandwidth/components/days-choice.tsx';
import { TopSection } from '../features/bandwidth/components/top-section.tsx';
import { BalanceSection } from '../features/overview/components/balance-section.tsx';
import classes from '../features/overview/components/overview.module.css';
import { RecentSection } from '../features/overview/components/recent-section.tsx';
import { SubUsersSection } from '../features/overview/components/sub-users-section.tsx';
import { Page } from '../frame/page.tsx';
import { choiceField, type UrlFields } from '../frame/url-state.ts';
import { useUrlState } from '../frame/use-url-state.ts';
import { frameTexts } from '../texts/frame.ts';
import { overviewTexts } from '../texts/overview.ts';

const fields: UrlFields<{ readonly days: ShownDays }> = { days: choiceField(SHOWN_DAYS, 30) };

/** The business of a reseller at a glance. */
export function Overview({ reseller }: { readonly reseller: string }) {
	const [{ days }, change] = useUrlState(fields);
	return (
		<Page title={frameTexts.overview} lead={overviewTexts.lead(reseller)}>
			<div className={classes.cards}>
				<BalanceSection />
				<SubUsersSection />
			</div>
			<BandwidthSection
				days={days}
				actions={<DaysChoice days={days} onChoose={(chosen) => change({ days: chosen })} />}
			/>
			<TopSection days={days} />
			<RecentSection />
		</Page>
	);
}
