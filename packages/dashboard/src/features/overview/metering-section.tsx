import type { Metering } from '@bursar/contract/dashboard';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { subUserPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { daysLeftText, meteringTexts } from './metering-texts.ts';

/** The height of both tables with some rows. */
const HEIGHT = 460;

/** How long the balances of a metered reseller last, and which sub-users run out. */
export function MeteringSection() {
	const query = useRead('/metering', {}, { staleMs: 60_000 });
	return (
		<Section title={meteringTexts.title} help="exhausted" lead={meteringTexts.lead}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(metering) => metering && <Figures metering={metering} />}
			</Answered>
		</Section>
	);
}

function Figures({ metering }: { readonly metering: Metering }) {
	const { own, sub_users, running_out, ran_out, ran_out_count, as_of } = metering;
	return (
		<Stack gap="lg">
			<Table
				label={meteringTexts.title}
				columns={[{ name: meteringTexts.whose, onCard: 'left', cell: ({ name }) => <Name>{name}</Name> }, ...SPENDING]}
				rows={[
					{ name: meteringTexts.own, ...own },
					{ name: meteringTexts.allSubUsers, ...sub_users },
				]}
				keyOf={({ name }) => name}
			/>
			<Stack gap="xs">
				<Title order={3} size="h5">
					{meteringTexts.runningOut}
				</Title>
				{running_out.length === 0 ? (
					<Text size="sm">{meteringTexts.noneRunningOut}</Text>
				) : (
					<Table
						label={meteringTexts.runningOut}
						columns={[NAME, ...SPENDING]}
						rows={running_out}
						keyOf={({ username }) => username}
					/>
				)}
			</Stack>
			<Stack gap="xs">
				<Title order={3} size="h5">
					{ran_out_count === 0 ? meteringTexts.noneRanOut : meteringTexts.ranOut(ran_out_count)}
				</Title>
				{ran_out_count > 0 && (
					<>
						<Text size="sm">{meteringTexts.ranOutLead}</Text>
						<Table
							label={meteringTexts.ranOutTable}
							columns={[NAME, WEEK_COST]}
							rows={ran_out}
							keyOf={({ username }) => username}
						/>
					</>
				)}
			</Stack>
			<Text size="sm" c="dimmed">
				{meteringTexts.asOf} <Moment at={as_of} />
			</Text>
		</Stack>
	);
}

const NAME: Column<{ readonly username: string }> = {
	name: meteringTexts.subUser,
	onCard: 'left',
	cell: ({ username }) => (
		<Anchor component={Link} href={subUserPath(username)} size="sm">
			<Name>{username}</Name>
		</Anchor>
	),
};

const ON_CARD = { isNumber: true, isNamedOnCard: true } as const;

const WEEK_COST: Column<Pick<Metering['own'], 'week_cost'>> = {
	name: meteringTexts.weekCost,
	...ON_CARD,
	onCard: 'right',
	cell: ({ week_cost }) => moneyText(week_cost),
};

const SPENDING: readonly Column<Metering['own']>[] = [
	{ name: meteringTexts.balance, ...ON_CARD, onCard: 'left', cell: ({ balance }) => moneyText(balance) },
	WEEK_COST,
	{ name: meteringTexts.daysLeft, ...ON_CARD, onCard: 'right', cell: ({ days_left }) => daysLeftText(days_left) },
];
