import { useUsageHealth } from '../features/usage-health/api/use-usage-health.ts';
import { DaysSection } from '../features/usage-health/components/days-section.tsx';
import { RefusedSection } from '../features/usage-health/components/refused-section.tsx';
import { Answered } from '../frame/answered.tsx';
import { Empty } from '../frame/empty.tsx';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { usageTexts } from '../texts/usage.ts';

/** How the reports of bandwidth fare, for operators. */
export function Usage() {
	return (
		<Page title={frameTexts.usage} lead={usageTexts.lead}>
			<Answered query={useUsageHealth()}>
				{({ days }) =>
					days.length === 0 ? (
						<Empty>{usageTexts.none}</Empty>
					) : (
						<>
							<RefusedSection days={days} />
							<DaysSection days={days} />
						</>
					)
				}
			</Answered>
		</Page>
	);
}
