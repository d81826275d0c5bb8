import { Button, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { CallError } from '../../calls/call.ts';
import { useRead } from '../../calls/use-read.ts';
import { browserZone, isBackwards } from '../../format/days.ts';
import { DownloadButton } from '../../lists/download-button.tsx';
import { Empty } from '../../lists/empty.tsx';
import { SearchedPages } from '../../lists/searched-pages.tsx';
import { useUrlState } from '../../lists/url-state.ts';
import { Page } from '../../page/page.tsx';
import { statementPaths } from '../../page/paths.ts';
import { pageNames } from '../../shell/texts.ts';
import { MovementsTable } from './movements-table.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { filterOf, isFiltered, type StatementState, shownOf, statementFields } from './statement-state.ts';
import { Summary } from './summary.tsx';
import { statementTexts } from './texts.ts';
import { rowsOfStatement, useStatement } from './use-statement.ts';

/** All movements of the reseller's money. */
export function StatementPage() {
	return (
		<Page title={pageNames.statement} lead={statementTexts.lead(browserZone())} actions={<MonthsButton />}>
			<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
				<PostedNote />
				<StatementList />
			</Paper>
		</Page>
	);
}

/** Leads to the balances of months: of this reseller, for an operator. */
export function MonthsButton({ reseller }: { readonly reseller?: string }) {
	return (
		<Button variant="default" component={Link} href={statementPaths(reseller).months}>
			{statementTexts.months}
		</Button>
	);
}

/** Balances of a statement are not the live ones, if balances pay for bandwidth. */
function PostedNote() {
	const { data } = useRead('/overview', {});
	if (!data || data.price === null) return null;
	return (
		<Text size="sm" c="dimmed" mb="md">
			{statementTexts.notPostedYet}
		</Text>
	);
}

/** The movements of a reseller, with filters that stand in the address. */
export function StatementList({ reseller }: { readonly reseller?: string }) {
	const [state, change] = useUrlState(statementFields);
	const filter = filterOf(state);
	const isEmptyRange = isBackwards(state);
	const query = useStatement({ reseller, filter, before: state.before, enabled: !isEmptyRange });
	const isUnknown = query.error instanceof CallError && query.error.code === 'unknown_sub_user';
	// Balances and totals are those of all references.
	const hasSums = state.reference === undefined;
	const isPrinted = hasSums && state.sub_user === undefined && ['own', 'all'].includes(shownOf(state));
	const { print } = statementPaths(reseller);
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
			<StatementFilters
				state={state}
				reseller={reseller}
				onChange={change}
				download={
					!isEmptyRange &&
					!isUnknown && (
						<>
							{download}
							{isPrinted && (
								<Button variant="default" size="sm" component={Link} href={print(state)}>
									{statementTexts.print}
								</Button>
							)}
						</>
					)
				}
			/>
			{isUnknown && <Empty>{statementTexts.unknownSubUser}</Empty>}
			{!isEmptyRange && !isUnknown && hasSums && <Summary reseller={reseller} state={state} />}
			{!isEmptyRange && !isUnknown && (
				<SearchedPages
					query={query}
					rowsOf={rowsOfStatement}
					nothingYet={statementTexts.nothingYet}
					nothing={nothingText(state)}
					before={state.before}
					onGo={(before) => change({ before })}
				>
					{(rows) => (
						<MovementsTable
							rows={rows}
							perspective={
								filter.username !== undefined ? 'sub_user' : reseller === undefined ? 'reseller' : 'operator'
							}
							reseller={reseller}
							isStale={query.isPlaceholderData}
						/>
					)}
				</SearchedPages>
			)}
		</Stack>
	);
}

function nothingText(state: StatementState): string {
	if (state.before !== undefined) return statementTexts.nothingOlder;
	return isFiltered(state) ? statementTexts.nothingFound : statementTexts.none;
}
