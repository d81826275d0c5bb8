import type { SubUserPage } from '@bursar/contract/dashboard';
import { Button, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Answered } from '../../../frame/answered.tsx';
import { DownloadButton } from '../../../frame/download-button.tsx';
import { Pager } from '../../../frame/pager.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
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
	return (
		<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
			<SearchBar state={state} onChange={change} />
			<div className={classes.belowToolbar}>
				<Hits state={state} />
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
			<Pager
				isBusy={query.isPlaceholderData}
				onPrevious={previous ? () => change({ before: previous, after: '' }) : undefined}
				onNext={next ? () => change({ after: next, before: '' }) : undefined}
			/>
		</Paper>
	);
}

/** How many there are. The list does not wait for it. */
function Hits({ state }: { readonly state: ListState }) {
	const { data } = useSubUserCount(subUserSearch(state));
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

function Nothing({ state: { search, match, after, before }, onChange }: NothingProps) {
	if (after !== '' || before !== '') {
		return (
			<NothingBox text={subUserTexts.nothingHere}>
				<Button variant="default" onClick={() => onChange(FIRST_PAGE)}>
					{subUserTexts.toFirst}
				</Button>
			</NothingBox>
		);
	}
	if (search === '') return <NothingBox text={subUserTexts.noneYet} />;
	return (
		<NothingBox text={subUserTexts.noneFound(search, match)}>
			{match === 'beginning' && (
				<Button onClick={() => onChange({ match: 'anywhere' })}>{subUserTexts.searchAnywhere}</Button>
			)}
			<Button variant="default" onClick={() => onChange({ search: '' })}>
				{subUserTexts.showAll}
			</Button>
		</NothingBox>
	);
}

function NothingBox({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
	return (
		<Stack align="center" gap="md" py="xl">
			<Text c="dimmed" ta="center">
				{text}
			</Text>
			{children}
		</Stack>
	);
}
