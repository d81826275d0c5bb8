import type { BandwidthDivision } from '@bursar/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { browserZone } from '../../format/days.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { BandwidthControls } from './bandwidth-controls.tsx';
import { BandwidthFigures } from './bandwidth-figures.tsx';
import { type BandwidthState, filterOf, timeOf, type Whose } from './bandwidth-state.ts';
import { CorrectionsTable } from './corrections-table.tsx';
import { RangeChoice } from './range-choice.tsx';
import { bandwidthTexts } from './texts.ts';

/** The room of the figures with the button for the table. */
const HEIGHT = 330;
const MINUTE_MS = 60_000;

interface Props {
	readonly whose: Whose;
	/** The ways in which the bars can be divided. */
	readonly divisions: readonly BandwidthDivision[];
	readonly state: BandwidthState;
	readonly onChange: (change: Partial<BandwidthState>) => void;
	/** Buttons beside the choices above the chart. */
	readonly children?: ReactNode;
}

/** Bandwidth by hour or by UTC day, as it was chosen. */
export function BandwidthSection({ whose, divisions, state, onChange, children }: Props) {
	const nowMs = useServerNow(MINUTE_MS);
	const time = timeOf(state, nowMs);
	const { by, ...filter } = filterOf(state, whose.kind === 'network' ? undefined : whose.username);
	const path = whose.kind === 'own' ? '/bandwidth' : '/operator/bandwidth';
	const query = useRead<typeof path>(
		path,
		{ ...time, ...filter, ...(by && { by }), ...(whose.kind === 'reseller' && { reseller: whose.reseller }) },
		{ staleMs: MINUTE_MS, keepsPrevious: true },
	);
	const isNetwork = whose.kind === 'network';
	const unit = query.data?.unit ?? 'day';
	return (
		<Section
			title={isNetwork ? bandwidthTexts.networkTitle : bandwidthTexts.title}
			lead={unit === 'day' ? bandwidthTexts.leads.day : bandwidthTexts.leads.hour(browserZone())}
			actions={<RangeChoice state={state} onChange={onChange} nowMs={nowMs} />}
		>
			<BandwidthControls divisions={divisions} state={state} onChange={onChange} nowMs={nowMs}>
				{whose.kind === 'own' && (
					<DownloadButton path="/bandwidth.csv" query={{ ...time, ...filter }}>
						{bandwidthTexts.csv}
					</DownloadButton>
				)}
				{children}
			</BandwidthControls>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(bandwidth) => (
					<div>
						<BandwidthFigures
							bandwidth={bandwidth}
							division={by}
							compares={state.compare === 'on'}
							isStale={query.isPlaceholderData}
							whose={whose}
							onEdge={(edge) => onChange({ edge, by: undefined })}
						/>
						{(isNetwork || bandwidth.parts.length > 0) && (
							<Text size="sm" c="dimmed" mt="sm">
								{bandwidthTexts.asOf} <Moment at={bandwidth.as_of} />
							</Text>
						)}
						{bandwidth.corrections.length > 0 && (
							<Stack gap="xs" mt="md">
								<Text size="sm">
									{bandwidth.spans[0]?.cost === null || by === 'edge'
										? bandwidthTexts.correctionsLeadOfParts
										: bandwidthTexts.correctionsLead}
								</Text>
								<CorrectionsTable corrections={bandwidth.corrections} />
							</Stack>
						)}
					</div>
				)}
			</Answered>
		</Section>
	);
}
