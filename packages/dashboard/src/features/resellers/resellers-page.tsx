import type { ListedReseller } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Anchor, Paper, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Empty } from '../../lists/empty.tsx';
import { SearchField } from '../../lists/filters.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import {
	FIRST_PAGE,
	type ListPosition,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateReseller } from './create-reseller.tsx';
import { OperatorsSection } from './operators-section.tsx';
import { resellerTexts } from './texts.ts';
import { resellerPath } from './use-reseller.ts';

/** All resellers, for operators. */
export function ResellersPage() {
	return (
		<Page title={pageNames.resellers} lead={resellerTexts.lead} actions={<CreateReseller />}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ResellersList />
			</Paper>
			<OperatorsSection />
		</Page>
	);
}

/** All resellers by name, with a search. */
function ResellersList() {
	const [state, change] = useUrlState(resellersFields);
	const { search } = state;
	const query = useRead(
		'/operator/resellers',
		{ ...(search !== '' && { search }), ...positionQueryOf(state) },
		{ keepsPrevious: true },
	);
	return (
		<Stack gap="md">
			<SearchField
				label={resellerTexts.search}
				value={search}
				maxLength={USERNAME_MAX_LENGTH}
				onChange={(next) => change({ search: next, ...FIRST_PAGE }, { replace: true })}
			/>
			<Answered query={query}>
				{({ resellers }) =>
					resellers.length > 0 ? (
						<ResellersTable resellers={resellers} isStale={query.isPlaceholderData} />
					) : (
						<Empty>{search === '' ? resellerTexts.none : resellerTexts.nothingFound}</Empty>
					)
				}
			</Answered>
			<PositionPager query={query} position={state} onGo={change} />
		</Stack>
	);
}

interface Props {
	readonly resellers: readonly ListedReseller[];
	readonly isStale: boolean;
}

function ResellersTable({ resellers, isStale }: Props) {
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

/** Which resellers a list shows, as it stands in the address. */
interface ResellersState extends ListPosition {
	/** The beginning of the name, in lowercase. */
	readonly search: string;
}

const resellersFields: UrlFields<ResellersState> = {
	search: textField(USERNAME_MAX_LENGTH),
	after: textField(),
	before: textField(),
};
