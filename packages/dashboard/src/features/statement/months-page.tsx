import { MOVEMENT_KINDS, type MovementKind, type StatementPeriod } from '@bursar/contract/dashboard';
import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { browserZone } from '../../format/days.ts';
import { changeText, moneyText } from '../../format/money.ts';
import { daysOfMonth, isMonth, monthAfter, monthOf, monthText } from '../../format/months.ts';
import { Empty } from '../../lists/empty.tsx';
import { Pager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { listTexts } from '../../lists/texts.ts';
import { type UrlFields, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { statementPaths } from '../../page/paths.ts';
import { pageNames } from '../../shell/texts.ts';
import { amountOf, boundsOfMonths, monthsUpTo } from './periods.ts';
import { statementTexts } from './texts.ts';
import { usePeriods } from './use-statement.ts';

const MINUTE_MS = 60_000;

interface State {
	/** The newest month that is shown. Absent: this one. */
	readonly until: string | undefined;
}

const fields: UrlFields<State> = {
	until: {
		parse: (text) => (text !== null && isMonth(text) ? text : undefined),
		write: (month) => month ?? null,
	},
};

/** A month whose period was read. */
interface Month {
	readonly month: string;
	readonly period: StatementPeriod;
}

interface Props {
	/** For an operator. Absent: that of the person. */
	readonly reseller?: string;
}

/** The balance of a reseller before and after each month, and what happened between. */
export function MonthsPage({ reseller }: Props) {
	const [{ until }, change] = useUrlState(fields);
	const thisMonth = monthOf(useServerNow(MINUTE_MS));
	const months = monthsUpTo(until ?? thisMonth);
	const query = usePeriods({ reseller, bounds: boundsOfMonths(months) });
	const { list } = statementPaths(reseller);
	return (
		<Page
			title={statementTexts.months}
			lead={
				<>
					<BackLink href={list()}>{reseller ?? pageNames.statement}</BackLink>
					<br />
					{statementTexts.monthsLead(browserZone())}
				</>
			}
		>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<Answered query={query}>
					{({ begun, periods }) => {
						const first = begun === null ? undefined : monthOf(Date.parse(begun));
						const shown = periods
							.map((period, index): Month => ({ month: months[index] as string, period }))
							.filter(({ month }) => first !== undefined && month >= first && month <= thisMonth)
							.reverse();
						const oldest = months[0] as string;
						const hasOlder = first !== undefined && first < oldest;
						return (
							<Stack gap="md">
								{shown.length === 0 ? (
									<Empty>{statementTexts.none}</Empty>
								) : (
									<Table
										label={statementTexts.months}
										columns={columnsFor(reseller, shown)}
										rows={shown}
										keyOf={({ month }) => month}
									/>
								)}
								<Pager
									onPrevious={until === undefined ? undefined : () => change({ until: undefined })}
									onNext={hasOlder ? () => change({ until: monthAfter(oldest, -1) }) : undefined}
									previousText={listTexts.newest}
									nextText={listTexts.older}
								/>
							</Stack>
						);
					}}
				</Answered>
			</Paper>
		</Page>
	);
}

/** Kinds that did not occur have no column. */
function columnsFor(reseller: string | undefined, months: readonly Month[]): readonly Column<Month>[] {
	const occurs = (kind: MovementKind) =>
		months.some(({ period: { summary } }) => summary && amountOf(summary, kind) !== 0);
	const { list, print } = statementPaths(reseller);
	return [
		{
			name: statementTexts.month,
			cell: ({ month }) => (
				<Anchor component={Link} href={list(daysOfMonth(month))} size="sm" style={{ whiteSpace: 'nowrap' }}>
					{monthText(month)}
				</Anchor>
			),
		},
		{ name: statementTexts.openingOfMonth, isNumber: true, cell: ({ period }) => balanceText(period, 'opening') },
		...MOVEMENT_KINDS.filter(occurs).map(
			(kind): Column<Month> => ({
				name: statementTexts.totals[kind],
				isNumber: true,
				cell: ({ period: { summary } }) => summary && totalText(amountOf(summary, kind)),
			}),
		),
		{
			name: statementTexts.closingOfMonth,
			isNumber: true,
			cell: ({ period }) => <strong>{balanceText(period, 'closing')}</strong>,
		},
		{
			name: statementTexts.printed,
			isNumber: true,
			isPlain: true,
			cell: ({ month }) => (
				<Anchor
					component={Link}
					href={print(daysOfMonth(month))}
					size="sm"
					aria-label={statementTexts.printMonth(monthText(month))}
				>
					{statementTexts.print}
				</Anchor>
			),
		},
	];
}

function balanceText({ summary }: StatementPeriod, end: 'opening' | 'closing') {
	if (summary) return moneyText(summary[end] ?? 0);
	return (
		<Text span size="sm" c="dimmed">
			{statementTexts.addingUp}
		</Text>
	);
}

/** The amount of a kind that did not occur. */
const NOTHING = '–';

function totalText(cents: number): string {
	return cents === 0 ? NOTHING : changeText(cents);
}
