import type { Bandwidth, BandwidthDivision } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { bytesText, roundBytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { growthText } from '../../format/number.ts';
import { momentText } from '../../format/time.ts';
import { Empty } from '../../lists/empty.tsx';
import classes from './bandwidth.module.css';
import type { Whose } from './bandwidth-state.ts';
import { BandwidthChart } from './chart/bandwidth-chart.tsx';
import { sumOf } from './chart/chart.ts';
import { COST, DOWN, seriesOfParts, UP, valuesOfParts } from './chart/series.ts';
import { FiguresTable } from './figures-table.tsx';
import { Legend } from './legend.tsx';
import { bandwidthTexts } from './texts.ts';

interface Props {
	readonly bandwidth: Bandwidth;
	/** How the bars are divided, like by edge. */
	readonly division: BandwidthDivision | undefined;
	/** Whether the time before is shown. */
	readonly compares: boolean;
	/** Whether another time is being read. */
	readonly isStale: boolean;
	readonly whose: Whose;
	/** Shows only what an edge reported. */
	readonly onEdge: (edge: string) => void;
}

/** The sums, the chart, and the same figures as a table. */
export function BandwidthFigures({ bandwidth, division, compares, isStale, whose, onEdge }: Props) {
	const { unit, spans, parts, hours_since } = bandwidth;
	const isDivided = parts.length > 0 && division !== undefined;
	const charted = spans.map(({ at, up, down }, index) => {
		return { at, values: isDivided ? valuesOfParts(parts, index, up + down) : [down, up] };
	});
	const hasRest = charted.some(({ values }) => (values[parts.length] ?? 0) > 0);
	const series = isDivided ? seriesOfParts(parts, hasRest ? bandwidthTexts.rest[division] : undefined) : [DOWN, UP];
	const earlier = compares ? (bandwidth.before ?? []).map(({ up, down }) => up + down) : [];
	const before = earlier.some((bytes) => bytes > 0) ? earlier : undefined;
	const cost = sumOf(spans.map((span) => span.cost ?? 0));
	const isEmpty = spans.every(({ up, down }) => up + down === 0) && before === undefined;
	return (
		<>
			<div className={classes.room} data-stale={isStale || undefined} aria-busy={isStale}>
				<Legend
					series={series}
					sums={series.map((_, index) => sumOf(charted.map(({ values }) => values[index] ?? 0)))}
					cost={cost}
					division={isDivided ? division : undefined}
					hasBefore={before !== undefined}
					whose={whose}
					onEdge={onEdge}
				/>
				{compares && <Comparison bandwidth={bandwidth} />}
				{hours_since !== null && (
					<Text size="sm" c="dimmed">
						{bandwidthTexts.hoursSince(momentText(hours_since))}
					</Text>
				)}
				{isEmpty ? (
					<Empty>{bandwidthTexts.noData}</Empty>
				) : (
					<BandwidthChart
						label={bandwidthTexts.charts[unit]}
						unit={unit}
						spans={charted}
						series={series}
						before={before}
						valueText={bytesText}
						scaleText={roundBytesText}
					/>
				)}
				{cost > 0 && (
					<>
						<Text size="sm">{bandwidthTexts.costByDay}</Text>
						<CostChart days={spans.map(({ at, cost: ofDay }) => ({ date: at, cost: ofDay ?? 0 }))} />
					</>
				)}
			</div>
			{!isEmpty && <TableBeside bandwidth={bandwidth} series={series} charted={charted} before={before} />}
		</>
	);
}

/** How much more or less it is than in the same time before. */
function Comparison({ bandwidth: { unit, goes_on, before, comparison } }: Pick<Props, 'bandwidth'>) {
	if (comparison === null || comparison.now + comparison.before === 0) return null;
	// Without the hours before, days are compared.
	const withoutLast = unit === 'hour' && before !== null ? 'hour' : 'day';
	const { now, before: earlier } = comparison;
	const growth = growthText(now, earlier);
	return (
		<Text size="sm">
			{earlier === 0
				? bandwidthTexts.nothingBefore
				: bandwidthTexts.compared[goes_on ? withoutLast : 'whole'](
						growth === undefined ? bytesText(now) : bandwidthTexts.grown(bytesText(now), growth),
						bytesText(earlier),
					)}
		</Text>
	);
}

/** What days cost. At least one is above zero. */
export function CostChart({ days }: { readonly days: readonly { readonly date: string; readonly cost: number }[] }) {
	return (
		<BandwidthChart
			label={bandwidthTexts.costChart}
			unit="day"
			spans={days.map(({ date, cost }) => ({ at: date, values: [cost] }))}
			series={[COST]}
			valueText={moneyText}
			scaleText={moneyText}
		/>
	);
}

function TableBeside(props: Parameters<typeof FiguresTable>[0]) {
	const [isShown, { toggle }] = useDisclosure(false);
	const tableId = useId();
	return (
		<>
			<Anchor
				component="button"
				type="button"
				size="sm"
				mt="sm"
				aria-expanded={isShown}
				aria-controls={tableId}
				onClick={toggle}
			>
				{isShown ? bandwidthTexts.hideTable : bandwidthTexts.showTable}
			</Anchor>
			<div id={tableId} className={classes.figures} hidden={!isShown}>
				{isShown && <FiguresTable {...props} />}
			</div>
		</>
	);
}
