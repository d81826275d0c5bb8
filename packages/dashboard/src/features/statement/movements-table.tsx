import type { Movement } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { changeText, moneyText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { PaidFor } from './paid-for.tsx';
import { detailsText, makerText, statementTexts } from './texts.ts';

/** Who looks at the movements, or at which. Only a reseller has pages of its sub-users, and one of them needs no name. */
type Perspective = 'reseller' | 'operator' | 'sub_user';

interface Props {
	readonly movements: readonly Movement[];
	readonly perspective: Perspective;
	/** Whether other movements are being read. */
	readonly isStale?: boolean;
}

/** Movements of a reseller's money, each with the balance of the reseller afterwards. */
export function MovementsTable({ movements, perspective, isStale = false }: Props) {
	return (
		<Table
			label={statementTexts.label}
			columns={COLUMNS[perspective]}
			rows={movements}
			keyOf={({ number }) => number}
			isStale={isStale}
		/>
	);
}

const COLUMNS: Readonly<Record<Perspective, readonly Column<Movement>[]>> = {
	reseller: columnsFor('reseller'),
	operator: columnsFor('operator'),
	sub_user: columnsFor('sub_user'),
};

function columnsFor(perspective: Perspective): readonly Column<Movement>[] {
	return [
		{ name: statementTexts.at, onCard: 'left', cell: ({ at }) => <Moment at={at} /> },
		{
			name: statementTexts.kind,
			isPlain: true,
			onCard: 'left',
			cell: ({ kind }) => statementTexts.kinds[kind],
		},
		...(perspective === 'sub_user' ? [] : [subUserColumn(perspective === 'reseller')]),
		{ name: statementTexts.by, cell: (movement) => <Maker movement={movement} /> },
		{ name: statementTexts.amount, isNumber: true, onCard: 'right', cell: ({ amount }) => changeText(amount) },
		{
			name: perspective === 'sub_user' ? statementTexts.ownBalance : statementTexts.balance,
			isNumber: true,
			onCard: 'right',
			isNamedOnCard: true,
			cell: (movement) => <BalanceAfter movement={movement} />,
		},
	];
}

function subUserColumn(hasPages: boolean): Column<Movement> {
	return {
		name: statementTexts.subUser,
		isPlain: true,
		cell: ({ username }) =>
			username === null ? null : !hasPages ? (
				<Name>{username}</Name>
			) : (
				<Anchor component={Link} href={`/sub-users/${encodeURIComponent(username)}`} size="sm">
					<Name>{username}</Name>
				</Anchor>
			),
	};
}

/** The balance that the movement changed. A sub-user pays for bandwidth from its own one. */
function BalanceAfter({ movement: { kind, username, balance } }: { readonly movement: Movement }) {
	if (balance === null) return '–';
	if (kind !== 'usage' || username === null) return moneyText(balance);
	return (
		<>
			{moneyText(balance)}{' '}
			<Text span size="sm" c="dimmed">
				{statementTexts.balanceOf(username)}
			</Text>
		</>
	);
}

function Maker({ movement }: { readonly movement: Movement }) {
	if (movement.usage.length > 0) return <PaidFor usage={movement.usage} />;
	const details = detailsText(movement);
	return (
		<div>
			<Name>{makerText(movement.by)}</Name>
			{details !== '' && (
				<Text size="sm" c="dimmed">
					{details}
				</Text>
			)}
		</div>
	);
}
