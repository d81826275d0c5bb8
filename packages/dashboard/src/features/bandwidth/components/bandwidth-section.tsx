import type { ShownDays } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { Answered } from '../../../frame/answered.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { Section } from '../../../frame/section.tsx';
import { bandwidthTexts } from '../../../texts/bandwidth.ts';
import { useBandwidth } from '../api/use-bandwidth.ts';
import { BandwidthFigures } from './bandwidth-figures.tsx';

/** The room of the figures with the button for the table. */
const HEIGHT = 304;

interface Props {
	readonly days: ShownDays;
	/** Absent: all sub-users and the reseller together. */
	readonly username?: string;
	/** Beside the title. */
	readonly actions?: ReactNode;
	/** Below the figures. */
	readonly children?: ReactNode;
}

/** The bandwidth of the last UTC days. */
export function BandwidthSection({ days, username, actions, children }: Props) {
	const query = useBandwidth(days, username);
	return (
		<Section title={bandwidthTexts.title} lead={bandwidthTexts.lead(days)} actions={actions}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(answer) => (
					<div>
						<BandwidthFigures days={answer.days} isStale={query.isPlaceholderData} />
					</div>
				)}
			</Answered>
			{children}
		</Section>
	);
}
