import type { ListedSubUser, SubUserOrder } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { orderAfterPress, type SortedColumn, sortedBy } from './list-state.ts';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

interface Props {
	readonly subUsers: readonly ListedSubUser[];
	readonly order: SubUserOrder;
	readonly onSort: (order: SubUserOrder) => void;
	/** Whether other rows are being read. */
	readonly isStale: boolean;
}

/** A page of the sub-users. */
export function SubUsersTable({ subUsers, order, onSort, isStale }: Props) {
	function sortable(column: SortedColumn): Pick<Column<ListedSubUser>, 'name' | 'head' | 'sorted'> {
		const sorted = sortedBy(column, order);
		return {
			name: subUserTexts[column],
			sorted,
			head: (
				<button
					type="button"
					className={classes.sort}
					data-sorted={sorted}
					onClick={() => onSort(orderAfterPress(column, order))}
				>
					{subUserTexts[column]}
					<span className={classes.arrow} aria-hidden="true">
						{sorted && (sorted === 'ascending' ? '↑' : '↓')}
					</span>
				</button>
			),
		};
	}
	return (
		<Table
			label={subUserTexts.label}
			columns={[
				{
					...sortable('name'),
					onCard: 'left',
					cell: ({ username }) => (
						<Anchor component={Link} href={`/sub-users/${username}`} size="sm" fw={500}>
							{username}
						</Anchor>
					),
				},
				{ ...sortable('balance'), isNumber: true, onCard: 'right', cell: ({ balance }) => moneyText(balance) },
				{ ...sortable('bandwidth'), isNumber: true, cell: ({ up, down }) => bytesText(up + down) },
				{ ...sortable('created'), isNumber: true, cell: ({ created }) => <Moment at={created} /> },
			]}
			rows={subUsers}
			keyOf={({ username }) => username}
			isStale={isStale}
		/>
	);
}
