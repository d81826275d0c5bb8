import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

export const actsQuery = infiniteQueryOptions({
	queryKey: ['acts'],
	queryFn: ({ client, pageParam }) =>
		sendSignedIn(client, () => read('/account/acts', pageParam === undefined ? {} : { before: pageParam })),
	initialPageParam: undefined as number | undefined,
	getNextPageParam: ({ next_before }) => next_before ?? undefined,
});

/** The person's own acts, page by page. */
export function useActs() {
	return useInfiniteQuery(actsQuery);
}
