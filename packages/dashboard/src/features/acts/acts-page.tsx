import { Paper, Stack } from '@mantine/core';
import { browserZone, isBackwards } from '../../format/days.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { useSearchedPages } from '../../lists/use-searched-pages.ts';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { ActsFilters } from './acts-filters.tsx';
import { type ActsState, actsFields, filterOf, isFiltered } from './acts-state.ts';
import { ActsTable } from './acts-table.tsx';
import { actsTexts } from './texts.ts';

/** What all people did, for operators. */
export function ActsPage() {
	return (
		<Page title={pageNames.acts} lead={actsTexts.lead(browserZone())}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ActsList />
			</Paper>
		</Page>
	);
}

/** The acts of all people, with filters that stand in the address. */
function ActsList() {
	const [state, change] = useUrlState(actsFields);
	const isEmptyRange = isBackwards(state);
	const query = useSearchedPages('/operator/acts', filterOf(state), {
		before: state.before,
		rowsOf: ({ acts }) => acts,
		enabled: !isEmptyRange,
	});
	return (
		<Stack gap="lg">
			<ActsFilters
				state={state}
				onChange={change}
				download={
					!isEmptyRange && (
						<DownloadButton path="/operator/acts.csv" query={filterOf(state)}>
							{actsTexts.csv}
						</DownloadButton>
					)
				}
			/>
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
