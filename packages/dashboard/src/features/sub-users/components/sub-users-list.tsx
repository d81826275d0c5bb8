import type { SubUserPage } from '@bursar/contract/dashboard';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { Answered } from '../../../frame/answered.tsx';
import { DownloadButton } from '../../../frame/download-button.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { FIRST_PAGE } from '../../../frame/list-place.ts';
import { PlacePager } from '../../../frame/place-pager.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useSubUserCount, useSubUsers } from '../api/use-sub-users.ts';
import { type ListState, listFields, subUserSearch, subUsersQueryOf } from '../list-state.ts';
import { SearchBar } from './search-bar.tsx';
import classes from './sub-users.module.css';
import { SubUsersTable } from './sub-users-table.tsx';

const SKELETON_HEIGHT = 640;

/** The sub-users, searched and sorted by what stands in the address. */
export function SubUsersList() {
	const [state, change] = useUrlState(listFields);
	const query = useSubUsers(subUsersQueryOf(state));
	return (
		<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
			<SearchBar state={state} onChange={change} />
			<div className={classes.belowToolbar}>
				<Hits state={state} isListed={query.isSuccess && !query.isPlaceholderData} />
				<DownloadButton path="/sub-users.csv" query={{}}>
					{subUserTexts.csv}
				</DownloadButton>
			</div>
			<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
				{({ sub_users }: SubUserPage) =>
					sub_users.length === 0 ? (
						<Nothing state={state} onChange={change} />
					) : (
						<SubUsersTable
							subUsers={sub_users}
							order={state.order}
							onSort={(order) => change({ order, ...FIRST_PAGE })}
							isStale={query.isPlaceholderData}
						/>
					)
				}
			</Answered>
			<PlacePager query={query} place={state} onGo={change} />
		</Paper>
	);
}

interface HitsProps {
	readonly state: ListState;
	/** Whether the page of the list is there. The count would delay it. */
	readonly isListed: boolean;
}

/** How many there are. */
function Hits({ state, isListed }: HitsProps) {
	const { data } = useSubUserCount(subUserSearch(state), { enabled: isListed });
	return (
		<Text size="sm" c="dimmed" role="status">
			{data && (state.search === '' ? subUserTexts.count(data.count) : subUserTexts.found(data.count))}
		</Text>
	);
}

interface NothingProps {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>) => void;
}

function Nothing({ state: { search, match }, onChange }: NothingProps) {
	if (search === '') return <Empty>{subUserTexts.noneYet}</Empty>;
	return (
		<Empty
			actions={
				<>
					{match === 'beginning' && (
						<Button onClick={() => onChange({ match: 'anywhere' })}>{subUserTexts.searchAnywhere}</Button>
					)}
					<Button variant="default" onClick={() => onChange({ search: '' })}>
						{subUserTexts.showAll}
					</Button>
				</>
			}
		>
			{subUserTexts.noneFound(search, match)}
		</Empty>
	);
}
