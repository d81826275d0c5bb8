import type { SubUserPage } from '@bursar/contract/dashboard';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { priceText } from '../../format/money.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { Empty } from '../../lists/empty.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { FIRST_PAGE, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateSubUser } from './create-sub-user.tsx';
import { type ListState, listFields, subUserSearch, subUsersQueryOf } from './list-state.ts';
import { RowDialog } from './row-dialog.tsx';
import type { RowAct } from './row-menu.tsx';
import { SearchBar } from './search-bar.tsx';
import { useSelection } from './selection.tsx';
import { SelectionBar } from './selection-bar.tsx';
import classes from './sub-users.module.css';
import { SubUsersTable } from './sub-users-table.tsx';
import { subUserTexts } from './texts.ts';

/** All sub-users of a reseller. */
export function SubUsersPage() {
	return (
		<Page
			title={pageNames.subUsers}
			help="sub_user"
			lead={subUserTexts.lead}
			actions={
				<IfMay path="/sub-users/create">
					<Group gap="xs">
						<Button component={Link} href="/many-sub-users" variant="default">
							{subUserTexts.many}
						</Button>
						<CreateSubUser />
					</Group>
				</IfMay>
			}
		>
			<SubUsersList />
		</Page>
	);
}

const SKELETON_HEIGHT = 640;

/** The sub-users, searched and sorted by what stands in the address. */
function SubUsersList() {
	const [state, change] = useUrlState(listFields);
	const query = useRead('/sub-users', subUsersQueryOf(state), { keepsPrevious: true });
	const price = query.data?.price ?? null;
	const selection = useSelection();
	const [asked, setAsked] = useState<AskedAct>();
	const [done, setDone] = useState('');

	function ask(username: string, act: RowAct) {
		setDone('');
		setAsked((before) => ({ number: (before?.number ?? 0) + 1, username, act }));
	}
	return (
		<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
			<Text size="sm" c="dimmed">
				{price === null ? subUserTexts.listUnmetered : subUserTexts.listMetered(priceText(price))}
			</Text>
			<SearchBar state={state} onChange={change} />
			<div className={classes.belowToolbar}>
				<Hits state={state} page={query.isPlaceholderData ? undefined : query.data} />
				<Text size="sm" fw={600} role="status">
					{done}
				</Text>
				{selection.usernames.size > 0 ? (
					<SelectionBar selection={selection} />
				) : (
					<DownloadButton path="/sub-users.csv" query={{}}>
						{subUserTexts.csv}
					</DownloadButton>
				)}
			</div>
			{asked && <RowDialog key={asked.number} {...asked} onDone={setDone} />}
			<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
				{({ sub_users }: SubUserPage) =>
					sub_users.length === 0 ? (
						<Nothing state={state} onChange={change} />
					) : (
						<SubUsersTable
							subUsers={sub_users}
							price={price}
							order={state.order}
							onSort={(order) => change({ order, ...FIRST_PAGE })}
							isStale={query.isPlaceholderData}
							selection={selection}
							onAsk={ask}
						/>
					)
				}
			</Answered>
			<PositionPager query={query} position={state} onGo={change} />
		</Paper>
	);
}

/** The act that was asked for last in the menu of a row. */
interface AskedAct {
	/** Each time it is another dialog. */
	readonly number: number;
	readonly username: string;
	readonly act: RowAct;
}

interface HitsProps {
	readonly state: ListState;
	/** Absent until it is there: the count would delay it. */
	readonly page: SubUserPage | undefined;
}

/** Which of them the page shows, and how many there are. */
function Hits({ state, page }: HitsProps) {
	const first = page?.previous ?? undefined;
	const where = first === undefined ? {} : { order: state.order, first };
	const { data } = useRead('/sub-users/count', { ...subUserSearch(state), ...where }, { enabled: page !== undefined });
	const rows = page?.sub_users.length ?? 0;
	const isPart = data && rows > 0 && rows < data.count;
	return (
		<Text size="sm" c="dimmed" role="status">
			{isPart && subUserTexts.range(data.before + 1, data.before + rows)}
			{data && (isSearched(state) ? subUserTexts.found(data.count) : subUserTexts.count(data.count))}
		</Text>
	);
}

interface NothingProps {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>) => void;
}

function Nothing({ state, onChange }: NothingProps) {
	const { search, match } = state;
	if (!isSearched(state)) return <Empty>{subUserTexts.noneYet}</Empty>;
	return (
		<Empty
			actions={
				<>
					{search !== '' && match === 'beginning' && (
						<Button onClick={() => onChange({ match: 'anywhere' })}>{subUserTexts.searchAnywhere}</Button>
					)}
					<Button variant="default" onClick={() => onChange({ search: '', state: undefined })}>
						{subUserTexts.showAll}
					</Button>
				</>
			}
		>
			{search === '' || state.state ? subUserTexts.noneInState : subUserTexts.noneFound[match](search)}
		</Empty>
	);
}

function isSearched({ search, state }: ListState): boolean {
	return search !== '' || state !== undefined;
}
