import type { ListedReseller } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { moneyText } from '../../../format/money.ts';
import { Ago } from '../../../frame/ago.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { type Column, Table } from '../../../frame/table.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { resellerPath } from '../reseller-path.ts';

interface Props {
	readonly resellers: readonly ListedReseller[];
	readonly isStale: boolean;
}

export function ResellersTable({ resellers, isStale }: Props) {
	return (
		<Table
			label={resellerTexts.label}
			columns={COLUMNS}
			rows={resellers}
			keyOf={({ reseller }) => reseller}
			isStale={isStale}
		/>
	);
}

const COLUMNS: readonly Column<ListedReseller>[] = [
	{
		name: resellerTexts.name,
		onCard: 'left',
		cell: ({ reseller }) => (
			<Anchor component={Link} href={resellerPath(reseller)} size="sm" fw={500}>
				{reseller}
			</Anchor>
		),
	},
	{ name: resellerTexts.balance, isNumber: true, onCard: 'right', cell: ({ balance }) => moneyText(balance) },
	{
		name: resellerTexts.lastUsed,
		isNumber: true,
		cell: ({ last_used }) => (last_used === null ? resellerTexts.never : <Ago at={last_used} />),
	},
	{ name: resellerTexts.created, isNumber: true, cell: ({ created }) => <Moment at={created} /> },
];
