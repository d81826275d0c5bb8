import type { Bandwidth } from '@bursar/contract/dashboard';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import classes from './bandwidth.module.css';
import { type ChartSpan, spanText, sumOf } from './chart/chart.ts';
import type { Series } from './chart/series.ts';
import { bandwidthTexts } from './texts.ts';

const HEIGHT = 360;

interface Props {
	readonly bandwidth: Bandwidth;
	readonly series: readonly Series[];
	/** The spans with a value for each series. */
	readonly charted: readonly ChartSpan[];
	/** The sum of each span before. */
	readonly before: readonly number[] | undefined;
}

interface Row extends ChartSpan {
	readonly cost: number | null;
	readonly before: number | undefined;
}

/** The figures of a chart, the newest first. */
export function FiguresTable({ bandwidth: { unit, spans }, series, charted, before }: Props) {
	const number = (name: string, cell: (row: Row) => string): Column<Row> => ({ name, isNumber: true, cell });
	const hasCost = spans.some(({ cost }) => (cost ?? 0) > 0);
	return (
		<Table
			label={bandwidthTexts.tables[unit]}
			columns={[
				{
					name: unit === 'day' ? bandwidthTexts.day : bandwidthTexts.hour,
					cell: ({ at }) => <span className={classes.time}>{spanText(at, unit)}</span>,
				},
				...series.map(({ name }, index) => number(name, ({ values }) => bytesText(values[index] ?? 0))),
				number(bandwidthTexts.total, ({ values }) => bytesText(sumOf(values))),
				...(before ? [number(bandwidthTexts.before, (row) => bytesText(row.before ?? 0))] : []),
				...(hasCost ? [number(bandwidthTexts.cost, ({ cost }) => moneyText(cost ?? 0))] : []),
			]}
			rows={charted
				.map((span, index): Row => ({ ...span, cost: spans[index]?.cost ?? null, before: before?.[index] }))
				.toReversed()}
			keyOf={({ at }) => at}
			maxHeight={HEIGHT}
		/>
	);
}
