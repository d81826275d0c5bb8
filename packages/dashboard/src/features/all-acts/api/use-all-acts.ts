import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { nextStepOf } from '../../../api/bounded-search.ts';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';
import type { ActFilter } from '../acts-state.ts';

function allActsQuery(filter: ActFilter, first: number | undefined) {
	return infiniteQueryOptions({
		queryKey: ['all-acts', filter, first ?? null],
		queryFn: ({ client, pageParam }) =>
			sendSignedIn(client, () =>
				read('/operator/acts', { ...filter, ...(pageParam !== undefined && { before: pageParam }) }),
			),
		initialPageParam: first,
		getNextPageParam: (_last, steps) => nextStepOf(steps, steps.flatMap(({ acts }) => acts).length),
		// Acts never change, so only the newest page can get old.
		...(first !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
		placeholderData: keepPreviousData,
	});
}

/** A page of the acts of all people, which grows by the steps of its search. */
export function useAllActs(filter: ActFilter, before: number | undefined, enabled: boolean) {
	return useInfiniteQuery({ ...allActsQuery(filter, before), enabled });
}
