import { Stack } from '@mantine/core';
import { nextPageOf } from '../../../api/bounded-search.ts';
import { CallError } from '../../../api/call.ts';
import { isBackwards } from '../../../format/days.ts';
import { Answered } from '../../../frame/answered.tsx';
import { DownloadButton } from '../../../frame/download-button.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { SearchEnd } from '../../../frame/search-end.tsx';
import { useUrlState } from '../../../frame/use-url-state.ts';
import { statementTexts } from '../../../texts/statement.ts';
import { useStatement } from '../api/use-statement.ts';
import { filterOf, isFiltered, type StatementState, statementFields } from '../statement-state.ts';
import { MovementsTable } from './movements-table.tsx';
import { StatementFilters } from './statement-filters.tsx';

/** The movements of a reseller, with filters that stand in the address. */
export function StatementList({ reseller }: { readonly reseller?: string }) {
	const [state, change] = useUrlState(statementFields);
	const filter = filterOf(state);
	const isEmptyRange = isBackwards(state);
	const query = useStatement({ reseller, filter, before: state.before }, { enabled: !isEmptyRange });
	const isUnknown = query.error instanceof CallError && query.error.code === 'unknown_sub_user';
	const download =
		reseller === undefined ? (
			<DownloadButton path="/statement.csv" query={filter}>
				{statementTexts.csv}
			</DownloadButton>
		) : (
			<DownloadButton path="/operator/statement.csv" query={{ ...filter, reseller }}>
				{statementTexts.csv}
			</DownloadButton>
		);

	return (
		<Stack gap="lg">
			<StatementFilters state={state} onChange={change} download={!isEmptyRange && !isUnknown && download} />
			{isUnknown && <Empty>{statementTexts.unknownSubUser}</Empty>}
			{!isEmptyRange && !isUnknown && (
				<Answered query={query}>
					{({ pages }) => {
						const movements = pages.flatMap((page) => page.movements);
						const older = nextPageOf(pages, movements.length);
						return (
							<Stack gap="md">
								{movements.length > 0 ? (
									<MovementsTable
										movements={movements}
										perspective={reseller === undefined ? 'reseller' : 'operator'}
										isStale={query.isPlaceholderData}
									/>
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

function emptyText(state: StatementState, canGoOn: boolean): string {
	if (canGoOn) return statementTexts.nothingYet;
	if (state.before !== undefined) return statementTexts.nothingOlder;
	return isFiltered(state) ? statementTexts.nothingFound : statementTexts.none;
}
