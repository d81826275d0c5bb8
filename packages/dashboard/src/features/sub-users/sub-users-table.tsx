import type { ListedSubUser, PricePerGb } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { type Sorting, sortable } from '../../lists/sorting.tsx';
import { Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { LeftMark } from './left-mark.tsx';
import type { SortedColumn } from './list-state.ts';
import { subUserTexts } from './texts.ts';

interface Props extends Sorting<SortedColumn> {
	readonly subUsers: readonly ListedSubUser[];
	readonly price: PricePerGb;
	/** Whether other rows are being read. */
	readonly isStale: boolean;
}

/** A page of the sub-users. */
export function SubUsersTable({ subUsers, price, isStale, ...sorting }: Props) {
	const sortedColumn = (column: SortedColumn) => sortable(column, subUserTexts[column], sorting);
	return (
		<Table
			label={subUserTexts.label}
			columns={[
				{
					...sortedColumn('name'),
					onCard: 'left',
					cell: ({ username }) => (
						<Anchor component={Link} href={`/sub-users/${username}`} size="sm" fw={500}>
							{username}
						</Anchor>
					),
				},
				{
					...sortedColumn('balance'),
					isNumber: true,
					onCard: 'right',
					cell: ({ balance }) => (
						<>
							<LeftMark balance={balance} price={price} /> {moneyText(balance)}
						</>
					),
				},
				{ ...sortedColumn('bandwidth'), isNumber: true, cell: ({ up, down }) => bytesText(up + down) },
				{ ...sortedColumn('created'), isNumber: true, cell: ({ created }) => <Moment at={created} /> },
			]}
			rows={subUsers}
			keyOf={({ username }) => username}
			isStale={isStale}
		/>
	);
}
