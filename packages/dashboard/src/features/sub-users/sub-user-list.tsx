import type { ListedSubUser, PricePerGb, SubUserPage } from '@bursar/contract/dashboard';
import { Anchor, Button, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { sortable } from '../../lists/sorting.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { FIRST_PAGE, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerSubUserPath, subUserPath } from '../../page/paths.ts';
import { OpeningState } from '../terms/state-mark.tsx';
import { termsTexts } from '../terms/texts.ts';
import { isLow } from './balance.ts';
import { type ListState, listFields, type SortedColumn, subUsersQueryOf } from './list-state.ts';
import { SearchBar } from './search-bar.tsx';
import { subUserTexts } from './texts.ts';

const SKELETON_HEIGHT = 640;

/** What is shown now. */
export interface Shown {
	readonly state: ListState;
	/** Absent until the page of this state was read. */
	readonly page: SubUserPage | undefined;
	readonly price: SubUserPage['price'];
}

interface Props {
	/** Given by operators: whose sub-users they look at. */
	readonly reseller?: string;
	/** What is said above the search. */
	readonly lead: (price: SubUserPage['price']) => string;
	/** What stands between the search and the rows. */
	readonly children?: (shown: Shown) => ReactNode;
	/** What stands before each name, and before the heading of the names. */
	readonly select?: Select;
	/** A last column. */
	readonly menu?: Column<ListedSubUser>;
	/** Said if there is none at all. */
	readonly none: string;
}

interface Select {
	readonly one: (subUser: ListedSubUser) => ReactNode;
	readonly all: (subUsers: readonly ListedSubUser[]) => ReactNode;
}

/** The sub-users of a reseller, searched and sorted by what stands in the address. */
export function SubUserList({ reseller, lead, children, none, ...columns }: Props) {
	const [state, change] = useUrlState(listFields);
	const own = useRead('/sub-users', subUsersQueryOf(state), { keepsPrevious: true, enabled: reseller === undefined });
	const theirs = useRead(
		'/operator/sub-users',
		{ reseller: reseller ?? '', ...subUsersQueryOf(state) },
		{ keepsPrevious: true, enabled: reseller !== undefined },
	);
	const query = reseller === undefined ? own : theirs;
	const price = query.data?.price ?? null;
	return (
		<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
			<Text size="sm" c="dimmed">
				{lead(price)}
			</Text>
			<SearchBar state={state} hasNotes={reseller === undefined} onChange={change} />
			{children?.({ state, page: query.isPlaceholderData ? undefined : query.data, price })}
			<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
				{({ sub_users: subUsers }: SubUserPage) =>
					subUsers.length === 0 ? (
						<Nothing state={state} none={none} hasNotes={reseller === undefined} onChange={change} />
					) : (
						<Table
							label={subUserTexts.label}
							columns={columnsOf({ reseller, subUsers, price, state, onChange: change, ...columns })}
							rows={subUsers}
							keyOf={({ username }) => username}
							isStale={query.isPlaceholderData}
						/>
					)
				}
			</Answered>
			<PositionPager query={query} position={state} onGo={change} />
		</Paper>
	);
}

interface ColumnsProps extends Pick<Props, 'select' | 'menu'>, ChangeProps {
	readonly reseller: string | undefined;
	readonly subUsers: readonly ListedSubUser[];
	readonly price: SubUserPage['price'];
}

interface ChangeProps {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>) => void;
}

function columnsOf({
	reseller,
	subUsers,
	price,
	state,
	onChange,
	select,
	menu,
}: ColumnsProps): Column<ListedSubUser>[] {
	const sorting = { order: state.order, onSort: (order: ListState['order']) => onChange({ order, ...FIRST_PAGE }) };
	const sortedColumn = (column: SortedColumn) => sortable(column, subUserTexts[column], sorting);
	const pathOf = (name: string) => (reseller === undefined ? subUserPath(name) : resellerSubUserPath(reseller, name));
	const nameColumn = sortedColumn('name');
	return [
		{
			...nameColumn,
			head: (
				<>
					{select?.all(subUsers)} {nameColumn.head}
				</>
			),
			onCard: 'left',
			cell: (subUser) => (
				<>
					{select?.one(subUser)}{' '}
					<Anchor component={Link} href={pathOf(subUser.username)} size="sm" fw={500}>
						<Name>{subUser.username}</Name>
					</Anchor>
					{isInNote(subUser, state) && (
						<Text size="sm" c="dimmed">
							{subUser.note}
						</Text>
					)}
				</>
			),
		},
		{
			name: termsTexts.title,
			isPlain: true,
			onCard: 'left',
			cell: (subUser) => <OpeningState state={subUser.state} opens={subUser.opens} />,
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
		{ name: subUserTexts.today, isNumber: true, cell: ({ used }) => bytesText(used.day_bytes) },
		{ ...sortedColumn('bandwidth'), isNumber: true, cell: ({ up, down }) => bytesText(up + down) },
		{ ...sortedColumn('created'), isNumber: true, cell: ({ created }) => <Moment at={created} /> },
		...(menu ? [menu] : []),
	];
}

/** Whether the search has found its note, which is shown then. */
function isInNote({ note }: ListedSubUser, { search, match }: ListState): boolean {
	return match === 'anywhere' && search !== '' && note.toLowerCase().includes(search.trim().toLowerCase());
}

interface MarkProps {
	/** USD cents. */
	readonly balance: number;
	readonly price: PricePerGb;
}

/** Says that an account has less than a GB left. That it has nothing left is said by its state. */
function LeftMark({ balance, price }: MarkProps) {
	if (!isLow(balance, price)) return null;
	return (
		<Text span size="sm" fw={600} c="dimmed">
			{subUserTexts.low}
		</Text>
	);
}

function Nothing({
	state,
	none,
	hasNotes,
	onChange,
}: ChangeProps & { readonly none: string; readonly hasNotes: boolean }) {
	const { search, match } = state;
	if (!isSearched(state)) return <Empty>{none}</Empty>;
	return (
		<Empty
			actions={
				<>
					{search !== '' && match === 'beginning' && (
						<Button onClick={() => onChange({ match: 'anywhere' })}>
							{hasNotes ? subUserTexts.searchNotes : subUserTexts.searchAnywhere}
						</Button>
					)}
					<Button variant="default" onClick={() => onChange({ search: '', state: undefined })}>
						{subUserTexts.showAll}
					</Button>
				</>
			}
		>
			{search === '' || state.state
				? subUserTexts.noneInState
				: subUserTexts.noneFound[match === 'anywhere' && hasNotes ? 'inNotes' : match](search)}
		</Empty>
	);
}

export function isSearched({ search, state }: ListState): boolean {
	return search !== '' || state !== undefined;
}
