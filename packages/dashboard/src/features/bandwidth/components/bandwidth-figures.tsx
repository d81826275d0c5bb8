import type { BandwidthDay } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { bytesText } from '../../../format/bytes.ts';
import { dayText } from '../../../format/day.ts';
import { Empty } from '../../../frame/empty.tsx';
import { Table } from '../../../frame/table.tsx';
import { bandwidthTexts } from '../../../texts/bandwidth.ts';
import { totalsOf } from '../chart.ts';
import classes from './bandwidth.module.css';
import { BandwidthChart } from './bandwidth-chart.tsx';
import { Swatch } from './swatch.tsx';

const TABLE_HEIGHT = 360;

interface Props {
	readonly days: readonly BandwidthDay[];
	/** Whether other days are being read. */
	readonly isStale: boolean;
}

/** Bandwidth by day: the sums, the chart, and the same figures as a table. */
export function BandwidthFigures({ days, isStale }: Props) {
	const [isTableShown, { toggle }] = useDisclosure(false);
	const tableId = useId();
	const totals = totalsOf(days);
	const isEmpty = totals.up + totals.down === 0;
	return (
		<>
			<div className={classes.room} data-stale={isStale || undefined} aria-busy={isStale}>
				<dl className={classes.legend}>
					<div>
						<dt>
							<Swatch of="down" /> {bandwidthTexts.down}
						</dt>
						<dd>{bytesText(totals.down)}</dd>
					</div>
					<div>
						<dt>
							<Swatch of="up" /> {bandwidthTexts.up}
						</dt>
						<dd>{bytesText(totals.up)}</dd>
					</div>
				</dl>
				{isEmpty ? <Empty>{bandwidthTexts.noData}</Empty> : <BandwidthChart days={days} />}
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

function FiguresTable({ days }: { readonly days: readonly BandwidthDay[] }) {
	return (
		<Table
			label={bandwidthTexts.table}
			columns={[
				{ name: bandwidthTexts.day, cell: ({ date }) => dayText(date) },
				{ name: bandwidthTexts.down, isNumber: true, cell: ({ down }) => bytesText(down) },
				{ name: bandwidthTexts.up, isNumber: true, cell: ({ up }) => bytesText(up) },
				{ name: bandwidthTexts.total, isNumber: true, cell: ({ up, down }) => bytesText(up + down) },
			]}
			rows={days.toReversed()}
			keyOf={({ date }) => date}
			onPhone="scroll"
			maxHeight={TABLE_HEIGHT}
		/>
	);
}
