import type { Income, ShownDays } from '@bursar/contract/dashboard';
import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { choiceField, type UrlFields, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Facts } from '../../page/facts.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { resellerPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CostChart } from '../bandwidth/bandwidth-figures.tsx';
import { type IncomeRow, incomeRows, incomeSums } from './sums.ts';
import { incomeTexts } from './texts.ts';

const SHOWN_DAYS: readonly ShownDays[] = [7, 30, 90, 'month'];
const fields: UrlFields<{ readonly days: ShownDays }> = { days: choiceField(SHOWN_DAYS, 30) };

/** What operators earn. */
export function IncomePage() {
	const [{ days }, change] = useUrlState(fields);
	const query = useRead('/operator/income', { days }, { staleMs: 60_000, keepsPrevious: true });
	return (
		<Page title={pageNames.income} lead={incomeTexts.lead}>
			<Section
				title={incomeTexts.byDay}
				actions={<DaysChoice days={days} onChoose={(chosen) => change({ days: chosen })} />}
			>
				<Answered query={query}>{(income) => <Days income={income} />}</Answered>
			</Section>
			<Answered query={query}>{(income) => income.resellers.length > 0 && <Resellers income={income} />}</Answered>
		</Page>
	);
}

interface ChoiceProps {
	readonly days: ShownDays;
	readonly onChoose: (days: ShownDays) => void;
}

/** Chooses how many days are shown. */
function DaysChoice({ days, onChoose }: ChoiceProps) {
	return (
		<SegmentedControl
			size="xs"
			aria-label={incomeTexts.days}
			data={SHOWN_DAYS.map((choice) => ({ value: String(choice), label: incomeTexts.lastDays[choice] }))}
			value={String(days)}
			onChange={(value) => onChoose(SHOWN_DAYS.find((choice) => String(choice) === value) ?? days)}
		/>
	);
}

function Days({ income: { as_of, days } }: { readonly income: Income }) {
	const { bandwidth, fees, topUps } = incomeSums(days);
	return (
		<Stack gap="md">
			<Facts
				isShort
				facts={[
					{ name: incomeTexts.cost, value: moneyText(bandwidth) },
					{ name: incomeTexts.fees, value: moneyText(fees) },
					{ name: incomeTexts.total, value: <strong>{moneyText(bandwidth + fees)}</strong> },
					{ name: incomeTexts.topUps, value: moneyText(topUps) },
				]}
			/>
			{bandwidth === 0 ? <Empty>{incomeTexts.none}</Empty> : <CostChart days={days} />}
			<Text size="sm" c="dimmed">
				{incomeTexts.asOf} <Moment at={as_of} />
			</Text>
		</Stack>
	);
}

function Resellers({ income }: { readonly income: Income }) {
	return (
		<Section title={incomeTexts.byReseller} help="debt" lead={incomeTexts.byResellerLead}>
			<Table label={incomeTexts.byReseller} columns={COLUMNS} rows={incomeRows(income)} keyOf={({ key }) => key} />
		</Section>
	);
}

const COLUMNS: readonly Column<IncomeRow>[] = [
	{
		name: incomeTexts.reseller,
		cell: ({ of }) => {
			if ('sum' in of) return of.sum === 'fees' ? incomeTexts.allFees : <strong>{incomeTexts.all}</strong>;
			if ('others' in of) return incomeTexts.others(of.others);
			return (
				<Anchor component={Link} href={resellerPath(of.reseller)} size="sm">
					<Name>{of.reseller}</Name>
				</Anchor>
			);
		},
	},
	{ name: incomeTexts.total, isNumber: true, cell: ({ of, cents }) => <Amount of={of} cents={cents} /> },
	{
		name: incomeTexts.debt,
		isNumber: true,
		cell: ({ of, debt }) => (isFees(of) ? null : <Amount of={of} cents={debt} />),
	},
];

function Amount({ of, cents }: { readonly of: IncomeRow['of']; readonly cents: number }) {
	return 'sum' in of && of.sum === 'all' ? <strong>{moneyText(cents)}</strong> : moneyText(cents);
}

function isFees(of: IncomeRow['of']): boolean {
	return 'sum' in of && of.sum === 'fees';
}
