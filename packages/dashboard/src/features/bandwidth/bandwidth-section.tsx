import type { BandwidthDay, ShownDays } from '@bursar/contract/dashboard';
import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { dayText } from '../../format/days.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import classes from './bandwidth.module.css';
import { BandwidthChart, COST, Swatched } from './bandwidth-chart.tsx';
import { type ChartDay, totalsOf } from './chart.ts';
import { CorrectionsTable } from './corrections-table.tsx';
import { bandwidthTexts } from './texts.ts';

/** The room of the figures with the button for the table. */
const HEIGHT = 304;

interface Props {
	readonly days: ShownDays;
	/** Absent: all sub-users and the reseller together. */
	readonly username?: string;
	/** Of this reseller, for an operator. Absent: of the reseller to which the person belongs. */
	readonly reseller?: string;
	/** Beside the title. */
	readonly actions?: ReactNode;
	/** Below the figures. */
	readonly children?: ReactNode;
}

/** The bandwidth of the last UTC days. */
export function BandwidthSection({ days, username, reseller, actions, children }: Props) {
	const path = reseller === undefined ? '/bandwidth' : '/operator/bandwidth';
	const query = useRead<typeof path>(
		path,
		{ days, ...(username !== undefined && { username }), ...(reseller !== undefined && { reseller }) },
		{ staleMs: 60_000, keepsPrevious: true },
	);
	return (
		<Section title={bandwidthTexts.title} lead={bandwidthTexts.lead(days)} actions={actions}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(answer) => (
					<div>
						<BandwidthFigures days={answer.days} isStale={query.isPlaceholderData} />
						{answer.corrections.length > 0 && (
							<Stack gap="xs" mt="md">
								<Text size="sm">{bandwidthTexts.correctionsLead}</Text>
								<CorrectionsTable corrections={answer.corrections} />
							</Stack>
						)}
					</div>
				)}
			</Answered>
			{children}
		</Section>
	);
}

const TABLE_HEIGHT = 360;

interface BandwidthFiguresProps {
	readonly days: readonly BandwidthDay[];
	/** Whether other days are being read. */
	readonly isStale: boolean;
}

/** Bandwidth by day: the sums, the chart, and the same figures as a table. */
function BandwidthFigures({ days, isStale }: BandwidthFiguresProps) {
	const [isTableShown, { toggle }] = useDisclosure(false);
	const tableId = useId();
	const totals = totalsOf(days);
	const cost = days.reduce((sum, day) => sum + day.cost, 0);
	const isEmpty = totals.up + totals.down === 0;
	return (
		<>
			<div className={classes.room} data-stale={isStale || undefined} aria-busy={isStale}>
				<dl className={classes.legend}>
					<div>
						<dt>
							<Swatched of="down" />
						</dt>
						<dd>{bytesText(totals.down)}</dd>
					</div>
					<div>
						<dt>
							<Swatched of="up" />
						</dt>
						<dd>{bytesText(totals.up)}</dd>
					</div>
					{cost > 0 && (
						<div>
							<dt>{bandwidthTexts.cost}</dt>
							<dd>{moneyText(cost)}</dd>
						</div>
					)}
				</dl>
				{isEmpty ? <Empty>{bandwidthTexts.noData}</Empty> : <BandwidthChart days={days} />}
				{cost > 0 && (
					<div className={classes.costs}>
						<Text size="sm">{bandwidthTexts.costByDay}</Text>
						<BandwidthChart days={days.map(costDay)} measure={COST} />
					</div>
				)}
			</div>
			{!isEmpty && (
				<Anchor
					component="button"
					type="button"
					size="sm"
					mt="sm"
					aria-expanded={isTableShown}
					aria-controls={tableId}
					onClick={toggle}
				>
					{isTableShown ? bandwidthTexts.hideTable : bandwidthTexts.showTable}
				</Anchor>
			)}
			<div id={tableId} className={classes.figures} hidden={!isTableShown || isEmpty}>
				{isTableShown && !isEmpty && <FiguresTable days={days} />}
			</div>
		</>
	);
}

const COST_COLUMN: Column<BandwidthDay> = {
	...{ name: bandwidthTexts.cost, isNumber: true, cell: ({ cost }) => moneyText(cost) },
};

/** A day of the chart of costs. */
function costDay({ date, cost }: BandwidthDay): ChartDay {
	return { date, up: 0, down: cost };
}

function FiguresTable({ days }: { readonly days: readonly BandwidthDay[] }) {
	return (
		<Table
			label={bandwidthTexts.table}
			columns={[
				{ name: bandwidthTexts.day, cell: ({ date }) => dayText(date) },
				{ name: bandwidthTexts.down, isNumber: true, cell: ({ down }) => bytesText(down) },
				{ name: bandwidthTexts.up, isNumber: true, cell: ({ up }) => bytesText(up) },
				{ name: bandwidthTexts.total, isNumber: true, cell: ({ up, down }) => bytesText(up + down) },
				...(days.some(({ cost }) => cost > 0) ? [COST_COLUMN] : []),
			]}
			rows={days.toReversed()}
			keyOf={({ date }) => date}
			onPhone="scroll"
			maxHeight={TABLE_HEIGHT}
		/>
	);
}

export const SHOWN_DAYS: readonly ShownDays[] = [7, 30, 90];

interface DaysChoiceProps {
	readonly days: ShownDays;
	readonly onChoose: (days: ShownDays) => void;
}

/** Chooses how many days are shown. */
export function DaysChoice({ days, onChoose }: DaysChoiceProps) {
	return (
		<SegmentedControl
			size="xs"
			aria-label={bandwidthTexts.days}
			data={SHOWN_DAYS.map((choice) => ({ value: String(choice), label: bandwidthTexts.lastDays[choice] }))}
			value={String(days)}
			onChange={(value) => onChoose(Number(value) as ShownDays)}
		/>
	);
}
