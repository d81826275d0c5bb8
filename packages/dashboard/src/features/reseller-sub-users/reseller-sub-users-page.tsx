import {
	PAIR_STATES,
	type PairState,
	type SubUserOfReseller,
	type SubUserOfResellerOrder,
} from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Anchor, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Sorting, sortable } from '../../lists/sorting.tsx';
import { Table } from '../../lists/table.tsx';
import { OrderSelect, SearchField, Toolbar } from '../../lists/toolbar.tsx';
import {
	choiceField,
	FIRST_PAGE,
	type ListPosition,
	maybeChoiceField,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { resellerPath, resellerSubUserPath } from '../../page/paths.ts';
import { StateMark } from '../life/state-mark.tsx';
import { lifeTexts } from '../life/texts.ts';
import { resellerSubUserTexts as texts } from './texts.ts';

const STATES = [
	{ value: '', label: texts.anyState },
	...PAIR_STATES.map((value) => ({ value, label: lifeTexts.states[value] })),
];

const SKELETON_HEIGHT = 640;

/** The sub-users of a reseller, for operators. They change nothing about them. */
export function ResellerSubUsersPage({ reseller }: { readonly reseller: string }) {
	const [state, change] = useUrlState(fields);
	const { search, order, state: inState } = state;
	const onSort = (next: SubUserOfResellerOrder) => change({ order: next, ...FIRST_PAGE });
	const query = useRead(
		'/operator/sub-users',
		{
			reseller,
			...(search !== '' && { search }),
			...(inState && { state: inState }),
			order,
			...positionQueryOf(state),
		},
		{ keepsPrevious: true },
	);
	return (
		<Page title={texts.pageTitle(reseller)} lead={<BackLink href={resellerPath(reseller)}>{reseller}</BackLink>}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
				<Text size="sm" c="dimmed">
					{texts.lead}
				</Text>
				<Toolbar>
					<SearchField
						label={texts.search}
						value={search}
						maxLength={USERNAME_MAX_LENGTH}
						onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
					/>
					<NativeSelect
						aria-label={texts.state}
						data={STATES}
						value={inState ?? ''}
						onChange={({ currentTarget: { value } }) =>
							change({ state: PAIR_STATES.find((each) => each === value), ...FIRST_PAGE })
						}
					/>
					<OrderSelect<SortedColumn> orders={texts.orders} order={order} onSort={onSort} />
				</Toolbar>
				<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
					{({ sub_users }) =>
						sub_users.length > 0 ? (
							<SubUsersTable
								reseller={reseller}
								subUsers={sub_users}
								order={order}
								onSort={onSort}
								isStale={query.isPlaceholderData}
							/>
						) : (
							<Empty>{search === '' && !inState ? texts.none : texts.nothingFound}</Empty>
						)
					}
				</Answered>
				<PositionPager query={query} position={state} onGo={change} />
			</Paper>
		</Page>
	);
}

interface Props extends Sorting<SortedColumn> {
	readonly reseller: string;
	readonly subUsers: readonly SubUserOfReseller[];
	readonly isStale: boolean;
}

function SubUsersTable({ reseller, subUsers, isStale, ...sorting }: Props) {
	const sortedColumn = (column: SortedColumn) => sortable(column, texts[column], sorting);
	return (
		<Table
			label={texts.title}
			columns={[
				{
					...sortedColumn('name'),
					onCard: 'left',
					cell: ({ username }) => (
						<Anchor component={Link} href={resellerSubUserPath(reseller, username)} size="sm" fw={500}>
							<Name>{username}</Name>
						</Anchor>
					),
				},
				{
					name: texts.state,
					isPlain: true,
					onCard: 'right',
					cell: ({ state }) => <StateMark state={state} />,
				},
				{ ...sortedColumn('balance'), isNumber: true, cell: ({ balance }) => moneyText(balance) },
				{ ...sortedColumn('created'), isNumber: true, cell: ({ created }) => <Moment at={created} /> },
			]}
			rows={subUsers}
			keyOf={({ username }) => username}
			isStale={isStale}
		/>
	);
}

/** Which sub-users are listed, as it stands in the address. */
interface State extends ListPosition {
	/** The beginning of the name, in lowercase. */
	readonly search: string;
	readonly order: SubUserOfResellerOrder;
	readonly state: PairState | undefined;
}

/** The columns by which the list can be sorted. */
type SortedColumn = Exclude<SubUserOfResellerOrder, `-${string}`>;

const ORDERS = Object.keys(texts.orders) as readonly SubUserOfResellerOrder[];

const fields: UrlFields<State> = {
	search: textField(USERNAME_MAX_LENGTH),
	order: choiceField(ORDERS, 'name'),
	state: maybeChoiceField(PAIR_STATES),
	after: textField(),
	before: textField(),
};
