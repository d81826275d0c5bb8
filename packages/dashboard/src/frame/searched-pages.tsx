import { Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nextPageOf, type SearchStep } from '../api/bounded-search.ts';
import { Answered } from './answered.tsx';
import { Empty } from './empty.tsx';
import { SearchEnd } from './search-end.tsx';

interface Props<Step extends SearchStep, Row> {
	readonly query: UseInfiniteQueryResult<InfiniteData<Step>>;
	readonly skeleton?: ReactNode;
	readonly rowsOf: (step: Step) => readonly Row[];
	/** Said if there are no rows: none so far, or none at all. */
	readonly nothingYet: string;
	readonly nothing: string;
	/** Where this page begins. Absent: with the newest row. */
	readonly before?: number | undefined;
	/** Shows the page that begins there. Absent: only the newest rows are shown. */
	readonly onGo?: (before: number | undefined) => void;
	readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A list that is searched in bounded steps, a page at a time, with what stands below it. */
export function SearchedPages<Step extends SearchStep, Row>({
	query,
	skeleton,
	rowsOf,
	nothingYet,
	nothing,
	before,
	onGo,
	children,
}: Props<Step, Row>) {
	const { hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } = query;
	return (
		<Answered query={query} skeleton={skeleton}>
			{({ pages }) => {
				const rows = pages.flatMap(rowsOf);
				const older = onGo && nextPageOf(pages, rows.length);
				return (
					<Stack gap="md">
						{rows.length > 0 ? children(rows) : <Empty>{hasNextPage ? nothingYet : nothing}</Empty>}
						<SearchEnd
							searchedTo={hasNextPage ? (pages.at(-1)?.searched_to ?? undefined) : undefined}
							onGoOn={() => void fetchNextPage()}
							isBusy={isFetchingNextPage || isPlaceholderData}
							onNewest={before === undefined ? undefined : () => onGo?.(undefined)}
							onOlder={older === undefined ? undefined : () => onGo?.(older)}
						/>
					</Stack>
				);
			}}
		</Answered>
	);
}
