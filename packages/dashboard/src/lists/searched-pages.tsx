import { Button, Group, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { momentText } from '../format/time.ts';
import { Answered } from '../page/answered.tsx';
import { nextPageOf, type SearchStep } from './bounded-search.ts';
import { Empty } from './empty.tsx';
import { Pager } from './pager.tsx';
import { listTexts } from './texts.ts';

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

interface SearchEndProps {
	/** How far back the search has looked, if it can go on on this page. */
	readonly searchedTo: string | undefined;
	/** Looks further back. */
	readonly onGoOn: () => void;
	readonly isBusy: boolean;
	/** Absent on the newest page. */
	readonly onNewest?: (() => void) | undefined;
	/** Absent if nothing older follows. */
	readonly onOlder?: (() => void) | undefined;
}

/** Stands below a list that is searched in bounded steps: how far it has looked, and what can be seen next. */
function SearchEnd({ searchedTo, onGoOn, isBusy, onNewest, onOlder }: SearchEndProps) {
	return (
		<>
			{searchedTo !== undefined && (
				<Group gap="sm">
					<Text size="sm" c="dimmed" role="status">
						{listTexts.searchedTo(momentText(searchedTo))}
					</Text>
					<Button size="sm" variant="default" loading={isBusy} onClick={onGoOn}>
						{listTexts.goOn}
					</Button>
				</Group>
			)}
			<Pager
				onPrevious={onNewest}
				onNext={onOlder}
				isBusy={isBusy}
				previousText={listTexts.newest}
				nextText={listTexts.older}
			/>
		</>
	);
}
