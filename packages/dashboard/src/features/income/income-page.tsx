import type { Income, IncomeOfReseller, ShownDays } from '@bursar/contract/dashboard';
import { Anchor, SegmentedControl } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { choiceField, type UrlFields, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CostChart } from '../bandwidth/bandwidth-figures.tsx';
import { incomeTexts } from './texts.ts';

const SHOWN_DAYS: readonly ShownDays[] = [7, 30, 90];
const fields: UrlFields<{ readonly days: ShownDays }> = { days: choiceField(SHOWN_DAYS, 30) };

/** What bandwidth earns, for operators. */
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
			<Answered query={query}>
				{({ resellers }) => resellers.length > 0 && <Resellers resellers={resellers} />}
			</Answered>
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
			onChange={(value) => onChoose(Number(value) as ShownDays)}
		/>
	);
}

function Days({ income: { days } }: { readonly income: Income }) {
	if (days.every(({ cost }) => cost === 0)) return <Empty>{incomeTexts.none}</Empty>;
	return <CostChart days={days} />;
}

function Resellers({ resellers }: { readonly resellers: readonly IncomeOfReseller[] }) {
	return (
		<Section title={incomeTexts.byReseller} help="debt" lead={incomeTexts.byResellerLead}>
			<Table label={incomeTexts.byReseller} columns={COLUMNS} rows={resellers} keyOf={({ reseller }) => reseller} />
		</Section>
	);
}

const COLUMNS: readonly Column<IncomeOfReseller>[] = [
	{
		name: incomeTexts.reseller,
		cell: ({ reseller }) => (
			<Anchor component={Link} href={`/resellers/${reseller}`} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: incomeTexts.cost, isNumber: true, cell: ({ cost }) => moneyText(cost) },
	{ name: incomeTexts.debt, isNumber: true, cell: ({ debt }) => moneyText(debt) },
];
