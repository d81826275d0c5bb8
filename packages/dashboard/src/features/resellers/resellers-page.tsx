import type { ListedReseller, ResellerOrder } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { moneyText, priceText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Sorting, sortable } from '../../lists/sorting.tsx';
import { Table } from '../../lists/table.tsx';
import { OrderSelect, SearchField, Toolbar } from '../../lists/toolbar.tsx';
import {
	choiceField,
	FIRST_PAGE,
	type ListPosition,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { resellerPath, resellerSubUsersPath } from '../../page/paths.ts';
import { StateBadge } from '../../page/state-badge.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateReseller } from './create-reseller.tsx';
import { resellerTexts } from './texts.ts';

/** All resellers, for operators. */
export function ResellersPage() {
	return (
		<Page title={pageNames.resellers} lead={resellerTexts.lead} actions={<CreateReseller />}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ResellersList />
			</Paper>
		</Page>
	);
}

/** All resellers, searched and sorted by what stands in the address. */
function ResellersList() {
	const [state, change] = useUrlState(resellersFields);
	const { search, order } = state;
	const onSort = (next: ResellerOrder) => change({ order: next, ...FIRST_PAGE });
	const query = useRead(
		'/operator/resellers',
		{ ...(search !== '' && { search }), order, ...positionQueryOf(state) },
		{ keepsPrevious: true },
	);
	return (
		<Stack gap="md">
			<Toolbar>
				<SearchField
					label={resellerTexts.search}
					value={search}
					maxLength={USERNAME_MAX_LENGTH}
					onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
				/>
				<OrderSelect<SortedColumn> orders={resellerTexts.orders} order={order} onSort={onSort} />
			</Toolbar>
			<Answered query={query}>
				{({ resellers }) =>
					resellers.length > 0 ? (
						<ResellersTable resellers={resellers} order={order} onSort={onSort} isStale={query.isPlaceholderData} />
					) : (
						<Empty>{search === '' ? resellerTexts.none : resellerTexts.nothingFound}</Empty>
					)
				}
			</Answered>
			<PositionPager query={query} position={state} onGo={change} />
		</Stack>
	);
}

interface Props extends Sorting<SortedColumn> {
	readonly resellers: readonly ListedReseller[];
	readonly isStale: boolean;
}

function ResellersTable({ resellers, isStale, ...sorting }: Props) {
	const sortedColumn = (column: SortedColumn) => sortable(column, resellerTexts[column], sorting);
	return (
		<Table
			label={resellerTexts.label}
			columns={[
				{
					...sortedColumn('name'),
					onCard: 'left',
					cell: (listed) => (
						<>
							<Anchor component={Link} href={resellerPath(listed.reseller)} size="sm" fw={500}>
								<Name>{listed.reseller}</Name>
							</Anchor>{' '}
							<ResellerStates listed={listed} />
						</>
					),
				},
				{
					...sortedColumn('balance'),
					isNumber: true,
					onCard: 'right',
					cell: ({ balance }) => moneyText(balance),
				},
				{ ...sortedColumn('bandwidth'), isNumber: true, cell: (listed) => <Used listed={listed} /> },
				{
					...sortedColumn('refused'),
					isNumber: true,
					cell: ({ reseller, refused }) =>
						refused === 0 ? (
							numberText(0)
						) : (
							<Anchor component={Link} href={`${resellerSubUsersPath(reseller)}?state=refused`} size="sm">
								{numberText(refused)}
							</Anchor>
						),
				},
				{
					name: resellerTexts.price,
					isNumber: true,
					cell: ({ price }) => (price === null ? resellerTexts.notMetered : priceText(price)),
				},
				{
					...sortedColumn('last_used'),
					isNumber: true,
					cell: ({ last_used }) => (last_used === null ? resellerTexts.never : <Ago at={last_used} />),
				},
				{ ...sortedColumn('created'), isNumber: true, cell: ({ created }) => <Moment at={created} /> },
			]}
			rows={resellers}
			keyOf={({ reseller }) => reseller}
			isStale={isStale}
		/>
	);
}

interface ListedProps {
	readonly listed: ListedReseller;
}

/** Whether a reseller is suspended, and what it owes; nothing if all is well. */
function ResellerStates({ listed: { suspended, debt, debt_line, price } }: ListedProps) {
	const isRefused = debt > debt_line && price !== null;
	return (
		<>
			{suspended !== null && <StateBadge tone="off">{resellerTexts.suspended}</StateBadge>}{' '}
			{debt > 0 && <StateBadge tone={isRefused ? 'bad' : 'waiting'}>{resellerTexts.owes(moneyText(debt))}</StateBadge>}
		</>
	);
}

/** The bandwidth of 30 days. What was used today stands below, if anything was. */
function Used({ listed: { month_bytes, day_bytes } }: ListedProps) {
	return (
		<>
			{bytesText(month_bytes)}
			{day_bytes > 0 && (
				<Text size="xs" c="dimmed" component="div">
					{resellerTexts.today(bytesText(day_bytes))}
				</Text>
			)}
		</>
	);
}

/** Which resellers a list shows, as it stands in the address. */
interface ResellersState extends ListPosition {
	/** The beginning of the name, in lowercase. */
	readonly search: string;
	readonly order: ResellerOrder;
}

/** The columns by which the list can be sorted. */
type SortedColumn = Exclude<ResellerOrder, `-${string}`>;

const ORDERS = Object.keys(resellerTexts.orders) as readonly ResellerOrder[];

const resellersFields: UrlFields<ResellersState> = {
	search: textField(USERNAME_MAX_LENGTH),
	order: choiceField(ORDERS, 'name'),
	after: textField(),
	before: textField(),
};
