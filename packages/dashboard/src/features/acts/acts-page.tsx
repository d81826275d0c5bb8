import { ACT_KINDS } from '@bursar/contract/dashboard';
import { Paper, Stack } from '@mantine/core';
import { browserZone, isBackwards } from '../../format/days.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { useSearchedPages } from '../../lists/use-searched-pages.ts';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { ActsFilters } from './acts-filters.tsx';
import { type ActsState, actsFields, filterOf, isFiltered, KINDS_OF_RESELLERS } from './acts-state.ts';
import { ActsTable } from './acts-table.tsx';
import { actsTexts } from './texts.ts';

interface Props {
	/** Of which reseller; `null`: all of it, for operators. */
	readonly reseller: string | null;
}

/** What was done: of a reseller, for its people, or all of it, for operators. */
export function ActsPage({ reseller }: Props) {
	const { lead, teamLead } = actsTexts;
	return (
		<Page title={pageNames.acts} lead={(reseller === null ? lead : teamLead)(browserZone())}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<ActsList reseller={reseller} />
			</Paper>
		</Page>
	);
}

/** The acts, with filters that stand in the address. */
function ActsList({ reseller }: Props) {
	const [state, change] = useUrlState(actsFields);
	const isEmptyRange = isBackwards(state);
	const query = useSearchedPages(reseller === null ? '/operator/acts' : '/activity', filterOf(state), {
		before: state.before,
		rowsOf: ({ acts }) => acts,
		enabled: !isEmptyRange,
	});
	return (
		<Stack gap="lg">
			<ActsFilters
				state={state}
				reseller={reseller}
				kinds={reseller === null ? ACT_KINDS : KINDS_OF_RESELLERS}
				onChange={change}
				download={
					!isEmptyRange && (
						<DownloadButton path={reseller === null ? '/operator/acts.csv' : '/activity.csv'} query={filterOf(state)}>
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
