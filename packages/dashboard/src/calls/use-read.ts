import type { DashboardReads } from '@bursar/contract/dashboard';
import { keepPreviousData, QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { isPassing, read } from './call.ts';
import { sendSignedIn, usePresence } from './presence.ts';

export type ReadPath = keyof DashboardReads;
export type ReadQuery<Path extends ReadPath> = DashboardReads[Path]['query'];
export type ReadAnswer<Path extends ReadPath> = NonNullable<DashboardReads[Path]['answer']>;

interface ReadOptions<Path extends ReadPath> {
	/** How long an answer counts as new, in milliseconds. */
	readonly staleMs?: number;
	/** Reads again at this interval (`false`: not by itself), while the page is visible and the person is signed in. */
	readonly everyMs?: number | ((answer: ReadAnswer<Path> | undefined) => number | false);
	/** Whether the answer to the previous query stays until this one is answered. */
	readonly keepsPrevious?: boolean;
	/** Whether it is read at all now. */
	readonly enabled?: boolean;
}

/** Reads by the dashboard's own API, for the person who is signed in. Components that read the same share one answer. */
export function useRead<Path extends ReadPath>(
	path: Path,
	query: ReadQuery<Path>,
	{ staleMs, everyMs, keepsPrevious = false, enabled = true }: ReadOptions<Path> = {},
) {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({
		...queryOf(path, query),
		enabled: enabled && (everyMs === undefined || isSignedIn),
		...(staleMs !== undefined && { staleTime: staleMs }),
		// Its type cannot tell that no answer is a function.
		...(keepsPrevious && { placeholderData: keepPreviousData as never }),
		refetchInterval: ({ state }) => (typeof everyMs === 'function' ? everyMs(state.data) : (everyMs ?? false)),
	});
}

/** Reads once, for an event handler. Throws `CallError`. */
export function useReadNow() {
	const client = useQueryClient();
	// A component may give up its read of the same meanwhile, so this is a read of its own.
	return <Path extends ReadPath>(path: Path, query: ReadQuery<Path>): Promise<ReadAnswer<Path>> =>
		client.fetchQuery({ ...queryOf(path, query), queryKey: ['now', path, query], staleTime: 0, gcTime: 0 });
}

function queryOf<Path extends ReadPath>(path: Path, query: ReadQuery<Path>) {
	return queryOptions<ReadAnswer<Path>>({
		queryKey: [path, query],
		queryFn: ({ client, signal }) => sendSignedIn(client, () => read(path, query, signal)),
	});
}

/** The answer of a change, which is what this read would answer now. Without an answer, it is read again. */
type Known = {
	readonly [Path in ReadPath]: {
		readonly path: Path;
		readonly query: ReadQuery<Path>;
		readonly answer: ReadAnswer<Path> | undefined;
	};
}[ReadPath];

/** For after a change: puts its answer in the cache, and reads again the paths that it may concern. */
export function useTakeOver() {
	const client = useQueryClient();
	return async function takeOver(known: Known | undefined, concerned: readonly ReadPath[] = []): Promise<void> {
		const all: readonly unknown[] = known ? [known.path, ...concerned] : concerned;
		// A read that is under way may still bring the previous state.
		await client.cancelQueries({ predicate: ({ queryKey }) => all.includes(queryKey[0]) });
		if (known?.answer) client.setQueryData([known.path, known.query], known.answer);
		else if (known) void client.invalidateQueries({ queryKey: [known.path, known.query] });
		for (const path of concerned) void client.invalidateQueries({ queryKey: [path] });
	};
}

/** @bound Tries again of a read that failed for a passing reason: then the page shows the failure. */
const READ_RETRIES = 2;

/** Keeps the answers of reads. Changes are never kept here: see `useChange`. */
export function createQueryClient(): QueryClient {
	return new QueryClient({
		defaultOptions: {
			queries: {
				// The browser may believe that it is offline although the service is on the same machine.
				networkMode: 'always',
				refetchOnReconnect: true,
				staleTime: 5_000,
				retry: (failures, error) => failures < READ_RETRIES && isPassing(error),
				retryDelay: (failures) => 500 * 2 ** failures,
			},
		},
	});
}
