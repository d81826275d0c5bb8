import { Stack } from '@mantine/core';
import { isBackwards } from '../../../format/days.ts';
import { SearchedPages } from '../../../frame/searched-pages.tsx';
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
				<SearchedPages
					query={query}
					rowsOf={({ acts }) => acts}
					nothingYet={actsTexts.nothingYet}
					nothing={nothingText(state)}
					before={state.before}
					onGo={(before) => change({ before })}
				>
					{(acts) => <ActsTable acts={acts} isStale={query.isPlaceholderData} />}
				</SearchedPages>
			)}
		</Stack>
	);
}

function nothingText(state: ActsState): string {
	if (state.before !== undefined) return actsTexts.nothingOlder;
	return isFiltered(state) ? actsTexts.nothingFound : actsTexts.none;
}
