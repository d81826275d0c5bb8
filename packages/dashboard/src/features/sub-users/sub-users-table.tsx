import type { ListedSubUser, PricePerGb } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useMay } from '../../calls/use-may.ts';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { type Sorting, sortable } from '../../lists/sorting.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { StateMark } from '../life/state-mark.tsx';
import { lifeTexts } from '../life/texts.ts';
import { LeftMark } from './left-mark.tsx';
import type { SortedColumn } from './list-state.ts';
import { type RowAct, RowMenu } from './row-menu.tsx';
import { SelectAll, type Selection, SelectOne } from './selection.tsx';
import { subUserTexts } from './texts.ts';

interface Props extends Sorting<SortedColumn> {
	readonly subUsers: readonly ListedSubUser[];
	readonly price: PricePerGb;
	/** Whether other rows are being read. */
	readonly isStale: boolean;
	readonly selection: Selection;
	/** Asks for the dialog of an act. */
	readonly onAsk: (username: string, act: RowAct) => void;
}

/** A page of the sub-users. */
export function SubUsersTable({ subUsers, price, isStale, selection, onAsk, ...sorting }: Props) {
	const mayChange = useMay('/sub-users/give');
	const sortedColumn = (column: SortedColumn) => sortable(column, subUserTexts[column], sorting);
	const nameColumn = sortedColumn('name');
	return (
		<Table
			label={subUserTexts.label}
			columns={[
				{
					...nameColumn,
					head: (
						<>
							{mayChange && <SelectAll subUsers={subUsers} selection={selection} />} {nameColumn.head}
						</>
					),
					onCard: 'left',
					cell: ({ username }) => (
						<>
							{mayChange && <SelectOne username={username} selection={selection} />}{' '}
							<Anchor component={Link} href={`/sub-users/${username}`} size="sm" fw={500}>
								<Name>{username}</Name>
							</Anchor>
						</>
					),
				},
				{ name: lifeTexts.title, isPlain: true, onCard: 'left', cell: ({ state }) => <StateMark state={state} /> },
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
				...(mayChange ? [menuColumn(onAsk)] : []),
			]}
			rows={subUsers}
			keyOf={({ username }) => username}
			isStale={isStale}
		/>
	);
}

function menuColumn(onAsk: Props['onAsk']): Column<ListedSubUser> {
	return {
		name: subUserTexts.acts,
		isPlain: true,
		isNumber: true,
		onCard: 'right',
		cell: (subUser) => <RowMenu subUser={subUser} onAsk={(act) => onAsk(subUser.username, act)} />,
	};
}
