import type { LowReseller, PlatformMoney } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { moneyText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath } from '../../page/paths.ts';
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
			<Anchor component={Link} href={resellerPath(reseller)} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: homeTexts.why, cell: ({ reason }) => homeTexts.reasons[reason] },
	{ name: homeTexts.balance, isNumber: true, cell: ({ balance }) => moneyText(balance) },
	{ name: homeTexts.allBalances, isNumber: true, cell: ({ held }) => moneyText(held) },
	{ name: homeTexts.lasts, isNumber: true, cell: ({ days_left }) => daysLeftText(days_left) },
];

/** How many resellers are left out. */
function More({ count }: { readonly count: number }) {
	if (count === 0) return null;
	return (
		<Text size="sm" c="dimmed" mt="sm">
			{homeTexts.more(count)}
		</Text>
	);
}
