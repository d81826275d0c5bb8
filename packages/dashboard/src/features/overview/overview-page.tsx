import { Suspense } from 'react';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { useUrlState } from '../../lists/url-state.ts';
import { Columns } from '../../page/columns.tsx';
import { lazyPage } from '../../page/lazy-page.ts';
import { Placeholder } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { BandwidthSection } from '../bandwidth/bandwidth-section.tsx';
import { bandwidthFields, timeOf } from '../bandwidth/bandwidth-state.ts';
import { ResellerStepsSection } from '../first-steps/reseller-steps.tsx';
import { BalanceSection } from './balance-section.tsx';
import { overviewTexts } from './texts.ts';
import { ThisMonthSection } from './this-month-section.tsx';

/** What stands further below, or has many texts, is not in the first load. */
const LastLists = lazyPage(async () => (await import('./later.ts')).LastLists);
const Refused = lazyPage(async () => (await import('./later.ts')).RefusedSection);
const SubUsers = lazyPage(async () => (await import('./later.ts')).SubUsersSection);
/** Most resellers of a service have no price, and owe nothing, so this code is not in the first load. */
const DebtAlert = lazyPage(async () => (await import('./later.ts')).DebtAlert);
const Metering = lazyPage(async () => (await import('./later.ts')).MeteringSection);

const DIVISIONS = ['sub_user', 'edge'] as const;
const fields = bandwidthFields('30d', DIVISIONS);
const OWN = { kind: 'own' } as const;
const MINUTE_MS = 60_000;
/** The height of ten rows, and of a card with its title. */
const HEIGHT = 460;
const CARD_HEIGHT = 260;

/** The business of a reseller at a glance. */
export function OverviewPage({ reseller }: { readonly reseller: string }) {
	const [state, change] = useUrlState(fields);
	const nowMs = useServerNow(MINUTE_MS);
	return (
		<Page title={pageNames.overview} lead={overviewTexts.lead(reseller)}>
			<DebtPart />
			<ResellerStepsSection />
			<Columns least={280}>
				<BalanceSection />
				<ThisMonthSection />
				<Suspense fallback={<Placeholder height={CARD_HEIGHT} />}>
					<SubUsers />
				</Suspense>
			</Columns>
			<Suspense>
				<Refused />
			</Suspense>
			<BandwidthSection whose={OWN} divisions={DIVISIONS} state={state} onChange={change} />
			<Suspense fallback={<Placeholder height={HEIGHT} />}>
				<LastLists time={timeOf(state, nowMs)} />
			</Suspense>
			<MeteringPart />
		</Page>
	);
}

/** What the reseller owes, if it owes something. */
function DebtPart() {
	const { data } = useRead('/overview', {}, { everyMs: 30_000 });
	if (!data || data.debt === 0) return null;
	return (
		<Suspense>
			<DebtAlert overview={data} />
		</Suspense>
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
