import type { LowReseller, PlatformMoney } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { daysLeftText } from '../overview/metering-texts.ts';
import { homeTexts } from './texts.ts';

/** Which resellers run low, with the page on which each is topped up. */
export function LowSection({ low: { count, resellers } }: Pick<PlatformMoney, 'low'>) {
	return (
		<Section title={homeTexts.low} lead={count === 0 ? undefined : homeTexts.lowLead}>
			{count === 0 ? (
				<Text size="sm">{homeTexts.noneLow}</Text>
			) : (
				<div>
					<Table label={homeTexts.low} columns={LOW} rows={resellers} keyOf={({ reseller }) => reseller} />
					<More count={count - resellers.length} />
				</div>
			)}
		</Section>
	);
}

const LOW: readonly Column<LowReseller>[] = [
	{
		name: homeTexts.reseller,
		cell: ({ reseller }) => (
			<Anchor component={Link} href={`/resellers/${reseller}`} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: homeTexts.why, cell: ({ reason }) => homeTexts.reasons[reason] },
	{ name: homeTexts.balance, isNumber: true, cell: ({ balance }) => moneyText(balance) },
	{ name: homeTexts.allBalances, isNumber: true, cell: ({ held }) => moneyText(held) },
	{ name: homeTexts.lasts, isNumber: true, cell: ({ days_left }) => daysLeftText(days_left) },
];

type Exhausted = PlatformMoney['exhausted'];

/** Where sub-users have run out. */
export function ExhaustedSection({ exhausted: { count, resellers } }: { readonly exhausted: Exhausted }) {
	return (
		<Section title={homeTexts.exhausted} lead={count === 0 ? undefined : homeTexts.exhaustedLead}>
			{count === 0 ? (
				<Text size="sm">{homeTexts.noneExhausted}</Text>
			) : (
				<div>
					<Table label={homeTexts.exhausted} columns={EXHAUSTED} rows={resellers} keyOf={({ reseller }) => reseller} />
					<More count={count - resellers.reduce((sum, { sub_users }) => sum + sub_users, 0)} />
				</div>
			)}
		</Section>
	);
}

const EXHAUSTED: readonly Column<Exhausted['resellers'][number]>[] = [
	{
		name: homeTexts.reseller,
		cell: ({ reseller }) => (
			<Anchor component={Link} href={`/resellers/${reseller}/sub-users?order=balance`} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: homeTexts.exhaustedCount, isNumber: true, cell: ({ sub_users }) => numberText(sub_users) },
];

function More({ count }: { readonly count: number }) {
	if (count === 0) return null;
	return (
		<Text size="sm" c="dimmed" mt="sm">
			{homeTexts.more(count)}
		</Text>
	);
}
