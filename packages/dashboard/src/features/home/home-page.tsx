import type { PlatformMoney } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { ServiceStepsSection } from '../first-steps/service-steps.tsx';
import { HeldCard, IncomeCard, TopUpsCard } from './money-cards.tsx';
import { EdgesSection, NetworkCard } from './network-cards.tsx';
import { RefusedSection } from './refused-section.tsx';
import { LowSection } from './running-low.tsx';
import { ServiceSection } from './service-section.tsx';
import { homeTexts } from './texts.ts';

const READ_EVERY_MS = 5 * 60_000;
/** The height of the cards of money and of those that run low. */
const HEIGHT = 620;

/** The service at a glance, for operators: what works, what comes in, and where to act. */
export function HomePage() {
	const money = useRead('/operator/money', {}, { everyMs: READ_EVERY_MS, staleMs: 60_000 });
	return (
		<Page title={pageNames.home} lead={homeTexts.lead}>
			<ServiceStepsSection />
			<ServiceSection />
			<Answered query={money} skeleton={<Placeholder height={HEIGHT} />}>
				{(answer) => (
					<>
						<Columns least={205}>
							<HeldCard money={answer} />
							<IncomeCard money={answer} />
							<TopUpsCard money={answer} />
							<NetworkCard />
						</Columns>
						<WhereToAct {...answer} />
					</>
				)}
			</Answered>
			<EdgesSection />
			{money.data && (
				<Text size="sm" c="dimmed">
					{homeTexts.asOf} <Moment at={money.data.as_of} />
				</Text>
			)}
		</Page>
	);
}

/** Side by side only if both lists have rows, or none has: otherwise one card would end in empty space. */
function WhereToAct({ low, refused }: Pick<PlatformMoney, 'low' | 'refused'>) {
	const lists = (
		<>
			<LowSection low={low} />
			<RefusedSection refused={refused} />
		</>
	);
	if (low.count > 0 !== refused.count > 0) return lists;
	return (
		<Columns least={340} wide="first">
			{lists}
		</Columns>
	);
}
