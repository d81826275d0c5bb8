import { Stack } from '@mantine/core';
import { nextPageOf } from '../../../api/bounded-search.ts';
import { isBackwards } from '../../../format/days.ts';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { SearchEnd } from '../../../frame/search-end.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { actsTexts } from '../../../texts/acts.ts';
import { type ActsState, actsFields, filterOf, isFiltered } from '../acts-state.ts';
import { useAllActs } from '../api/use-all-acts.ts';
import { ActsFilters } from './acts-filters.tsx';
import { ActsTable } from './acts-table.tsx';

/** The acts of all people, with filters that stand in the address. */
export function ActsList() {
	const [state, change] = useUrlState(actsFields);
	const isEmptyRange = isBackwards(state);
	const query = useAllActs(filterOf(state), state.before, !isEmptyRange);
	return (
		<Stack gap="lg">
			<ActsFilters state={state} onChange={change} />
			{!isEmptyRange && (
				<Answered query={query}>
					{({ pages }) => {
						const acts = pages.flatMap((page) => page.acts);
						const older = nextPageOf(pages, acts.length);
						return (
							<Stack gap="md">
								{acts.length > 0 ? (
									<ActsTable acts={acts} isStale={query.isPlaceholderData} />
								) : (
									<Empty>{emptyText(state, query.hasNextPage)}</Empty>
								)}
								<SearchEnd
									searchedTo={query.hasNextPage ? (pages.at(-1)?.searched_to ?? undefined) : undefined}
									onGoOn={() => void query.fetchNextPage()}
									isBusy={query.isFetchingNextPage || query.isPlaceholderData}
									onNewest={state.before === undefined ? undefined : () => change({ before: undefined })}
									onOlder={older === undefined ? undefined : () => change({ before: older })}
								/>
							</Stack>
						);
					}}
				</Answered>
			)}
		</Stack>
	);
}

function emptyText(state: ActsState, canGoOn: boolean): string {
	if (canGoOn) return actsTexts.nothingYet;
	if (state.before !== undefined) return actsTexts.nothingOlder;
	return isFiltered(state) ? actsTexts.nothingFound : actsTexts.none;
}
