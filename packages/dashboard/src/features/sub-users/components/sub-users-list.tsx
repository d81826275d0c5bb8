import type { SubUserPage } from '@bursar/contract/dashboard';
import { Button, Paper, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { CallError } from '../../../api/call.ts';
import { Answered } from '../../../frame/answered.tsx';
import { DownloadButton } from '../../../frame/download-button.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Pager } from '../../../frame/pager.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { frameTexts } from '../../../texts/frame.ts';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useSubUserCount, useSubUsers } from '../api/use-sub-users.ts';
import { FIRST_PAGE, type ListState, listFields, subUserSearch, subUsersQueryOf } from '../list-state.ts';
import { SearchBar } from './search-bar.tsx';
import classes from './sub-users.module.css';
import { SubUsersTable } from './sub-users-table.tsx';

const SKELETON_HEIGHT = 640;

/** The sub-users, searched and sorted by what stands in the address. */
export function SubUsersList() {
	const [state, change] = useUrlState(listFields);
	const query = useSubUsers(subUsersQueryOf(state));
	const next = query.data?.next;
	const previous = query.data?.previous;
	const isNoPlace = query.error instanceof CallError && query.error.code === 'invalid_query';
	// The service answers with the first page if nothing is at a place. Then the address names none.
	const isFirst = query.isSuccess && !query.isPlaceholderData && !previous;
	useEffect(() => {
		if (isFirst && (state.after !== '' || state.before !== '')) change(FIRST_PAGE, { replace: true });
	});
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
			{isNoPlace && (
				<Button variant="default" w="fit-content" onClick={() => change(FIRST_PAGE, { replace: true })}>
					{frameTexts.toFirstPage}
				</Button>
			)}
			<Pager
				isBusy={query.isPlaceholderData}
				onPrevious={previous ? () => change({ before: previous, after: '' }) : undefined}
				onNext={next ? () => change({ after: next, before: '' }) : undefined}
			/>
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
