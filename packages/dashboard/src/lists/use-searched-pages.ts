import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { read } from '../calls/call.ts';
import { sendSignedIn } from '../calls/presence.ts';
import type { ReadAnswer, ReadQuery } from '../calls/use-read.ts';
import { nextStepOf } from './bounded-search.ts';

/** The reads that look back in bounded steps. */
type SearchedPath = '/statement' | '/operator/statement' | '/operator/acts' | '/activity';

interface Options<Path extends SearchedPath> {
	/** Where this page begins. Absent: with the newest row. */
	readonly before?: number | undefined;
	readonly rowsOf: (step: ReadAnswer<Path>) => readonly unknown[];
	/** Whether it is read at all now. */
	readonly enabled?: boolean;
	/** How often it is read again, in milliseconds. Default: only if something was changed. */
	readonly everyMs?: number;
}

/** A page of a list that is searched in bounded steps. It grows by steps until it is full. */
export function useSearchedPages<Path extends SearchedPath>(
	path: Path,
	query: Omit<ReadQuery<Path>, 'before'>,
	{ before, rowsOf, enabled = true, everyMs }: Options<Path>,
) {
	return useInfiniteQuery({
		queryKey: [path, query, before ?? null],
		queryFn: ({ client, pageParam, signal }): Promise<ReadAnswer<Path>> => {
			const step = { ...query, ...(pageParam !== undefined && { before: pageParam }) } as ReadQuery<Path>;
			return sendSignedIn(client, () => read(path, step, signal));
		},
		initialPageParam: before,
		getNextPageParam: (_last, steps) => nextStepOf(steps, steps.flatMap(rowsOf).length),
		// Rows never change, so only the newest page can get old.
		...(before !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
		...(everyMs !== undefined && { refetchInterval: everyMs }),
		placeholderData: keepPreviousData,
		enabled,
	});
}
